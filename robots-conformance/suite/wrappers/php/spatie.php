<?php

// Answers questions about pages for spatie/robots-txt: `php spatie.php FOLDER`. Each line has the fields, the HTML and the crawler
// in base64, each after a `=`. As its class Robots does, a page may be indexed if both the meta element and the fields allow it.

require $argv[1] . '/src/RobotsMeta.php';
require $argv[1] . '/src/RobotsHeaders.php';

use Spatie\Robots\RobotsHeaders;
use Spatie\Robots\RobotsMeta;

while (($line = fgets(STDIN)) !== false) {
    [$fields, $html, $agent] = array_map(fn ($word) => base64_decode(substr($word, 1)), explode(' ', trim($line)));
    $meta = RobotsMeta::create($html);
    $headers = RobotsHeaders::create($fields === '' ? [] : explode("\n", $fields));
    $agent = $agent === '' ? '*' : $agent;
    $index = $meta->mayIndex() && $headers->mayIndex($agent);
    $follow = $meta->mayFollow() && $headers->mayFollow($agent);
    echo 'index=', $index ? 'yes' : 'no', ' follow=', $follow ? 'yes' : 'no', "\n";
}
