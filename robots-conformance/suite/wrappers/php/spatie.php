<?php

// Answers questions for spatie/robots-txt: `php spatie.php pages|rules FOLDER`. Each line has words in base64, each after a `=`: the
// fields, the HTML and the crawler, or the file, the crawler and the URL. As its class Robots does, a page may be indexed if both
// the meta element and the fields allow it.

require $argv[2] . '/src/RobotsMeta.php';
require $argv[2] . '/src/RobotsHeaders.php';
require $argv[2] . '/src/RobotsTxt.php';

use Spatie\Robots\RobotsHeaders;
use Spatie\Robots\RobotsMeta;
use Spatie\Robots\RobotsTxt;

while (($line = fgets(STDIN)) !== false) {
    $words = array_map(fn ($word) => base64_decode(substr($word, 1)), explode(' ', trim($line)));
    if ($argv[1] === 'rules') {
        [$body, $agent, $url] = $words;
        echo (new RobotsTxt($body))->allows($url, $agent) ? 1 : 0, "\n";
        continue;
    }
    [$fields, $html, $agent] = $words;
    $meta = RobotsMeta::create($html);
    $headers = RobotsHeaders::create($fields === '' ? [] : explode("\n", $fields));
    $agent = $agent === '' ? '*' : $agent;
    $index = $meta->mayIndex() && $headers->mayIndex($agent);
    $follow = $meta->mayFollow() && $headers->mayFollow($agent);
    echo 'index=', $index ? 'yes' : 'no', ' follow=', $follow ? 'yes' : 'no', "\n";
}
