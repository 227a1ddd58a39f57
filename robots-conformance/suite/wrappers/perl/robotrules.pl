# Answers questions for WWW::RobotRules: each line has the file, the crawler and the URL in base64, each after a `=`.

use strict;
use warnings;

use MIME::Base64 qw(decode_base64);
use WWW::RobotRules;

$| = 1;
if (@ARGV && $ARGV[0] eq 'version') {
    print "$WWW::RobotRules::VERSION\n";
    exit;
}
while (my $line = <STDIN>) {
    my ($body, $agent, $url) = map { decode_base64(substr($_, 1)) } split ' ', $line;
    my $rules = WWW::RobotRules->new($agent);
    $rules->parse('https://example.com/robots.txt', $body);
    print $rules->allowed($url) ? 1 : 0, "\n";
}
