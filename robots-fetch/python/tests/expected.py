"""The tests of other projects that the documents contradict, with the sentence.

A quotation is from RFC 9309 unless it says otherwise. A test with several assertions is listed if one of them is contradicted. For
`urllib.robotparser`, whose tests have lists of URLs, single URLs are listed.
"""

NAME = (
    'Section 2.2.1: "Crawlers MUST use case-insensitive matching to find the group that matches the product token": '
    "a group for a part of the crawler's name does not match"
)
TOKEN = (
    'Section 2.2.1: "The product token MUST contain only uppercase and lowercase letters, underscores, and hyphens": '
    "only the letters before the first other character can be compared"
)
OTHER = (
    'Section 2.2.4: "Parsing of other records MUST NOT interfere with the parsing of explicitly defined records": '
    "a record that is not a rule does not end a group, so both names are in one group"
)
COLON = (
    'Section 2.2: "rule = *WS ("allow" / "disallow") *WS ":" *WS (path-pattern / empty-pattern) EOL": '
    "a line without a colon is read only if its key is one word and its value has no colon"
)
SPECIAL = 'Section 2.2.3: "$ Designates the end of the match pattern", so it does not stand for itself as well'
PATH = 'Section 2.2: "path-pattern = "/" *UTF8-char-noctl": a pattern that does not begin with a slash matches no path'
GROUPS = (
    'Section 2.2.1: "If there is more than one group matching the user-agent, the matching groups\' rules MUST be combined '
    'into one group and parsed according to Section 2.2.2"'
)
EMPTY = (
    'Section 2.2: "startgroupline = *WS "user-agent" *WS ":" *WS product-token EOL": a line without a name does not start a '
    "group"
)
PRIVATE = "Not contradicted: the test reads counters that are not part of the interface (names with an underscore)"
INDEX = "Google's interpretation only: RFC 9309 gives index.html no special meaning"
VISIT = (
    "Not a sentence of a document: Visit-time is a record that RFC 9309 does not define; the extended standard has a hyphen "
    "between the times"
)

RESERVED = (
    'Section 2.2.2: "If a percent-encoded ASCII octet is encountered in the URI, it MUST be unencoded prior to comparison, unless '
    "it is a reserved character in the URI as defined by [RFC3986] or the character is outside the unreserved character "
    'range": an escaped reserved character or percent sign is not the character itself'
)
SPACE = (
    'URL Standard, section 4.4: "Remove any leading and trailing C0 control or space from input": a URL is read as clients request it, '
    "without the space"
)
LONGEST = (
    'Section 2.2.2: "The most specific match is the match that has the most octets": the octets of the pattern count, not those of '
    "the path that its asterisk stands for"
)
REPEATED = SPECIAL + ": a sign before the last one is the character, and so is each that is not at the end"
INTERFACE = (
    "Not a sentence of a document: the entries and the text form are those of CPython before it had groups by name, on each version, "
    "and an entry can't be added"
)
OCTETS = (
    'Section 2.2.2: "The matching process compares every octet in the path portion of the URI and the path from the robots.txt": '
    "a pattern that ends with a percent sign is a prefix of a path with an escape at this place"
)

UNREACHABLE = (
    'Section 2.3.1.4: "If the robots.txt file is unreachable due to server or network errors, this means the robots.txt file is '
    'undefined and the crawler MUST assume complete disallow": without an answer, no request passes'
)
ALWAYS = 'Section 2.2.2: "The /robots.txt URI is implicitly allowed"'
HEADER = (
    'Section 2.2.1: "The product token SHOULD be a substring of the identification string that the crawler sends": urllib\'s '
    "`can_fetch` takes this string, in which the replacement finds the name; robotspy takes product tokens only"
)
OTHER_NAME = (
    "Not a sentence of a document: a name with other characters than those of a product token is compared as a whole; robotspy "
    "compares its letters"
)
CALLED = "Not contradicted: the test replaces `process_request_2`, a part of Scrapy's class that this middleware does not call"

#: URLs of the lists of CPython's tests, by class, and whether this project allows them. A version of CPython that has another
#: list, or agrees, has fewer differences.
URLS = {
    "UserAgentGoogleMobileTest": [("/something.jpg", True, NAME)],
    "UseFirstUserAgentWildcardTest": [("/another/path", False, GROUPS)],
    "PercentEncodingTest": [
        ("/p1%25xy", True, RESERVED),
        ("/p3%xy", True, RESERVED),
        ("/hash#f", True, RESERVED),
        ("/sub%2Fdir", True, RESERVED),
        ("/slash/", True, RESERVED),
        ("/pc/", True, RESERVED),
        ("/pc#", True, RESERVED),
        ("/p2%f0", False, OCTETS),
        ("/trailingspace ", True, SPACE),
    ],
    "SimpleExampleTest": [("/publications/allowed.gif", True, LONGEST)],
    "LongestMatchWildcardTest": [("/example/page/disallowed.gif", True, LONGEST)],
    "AllowWinsEqualFullMatchTest": [("/eggs", False, LONGEST)],
    "AllowWinsEqualMatchWildcardTest": [("/spam", False, LONGEST), ("/spam/", False, LONGEST)],
    "WeirdPathTest": [
        ("/a", True, REPEATED),
        ("/e", True, REPEATED),
        ("/exy", True, REPEATED),
        ("/g", True, REPEATED),
        ("/a$$", False, REPEATED),
        ("/b$z", False, REPEATED),
        ("/f$$$z", False, REPEATED),
        ("/fx$y$$z", False, REPEATED),
        ("/g$$$", False, REPEATED),
        ("/g$x$$y", False, REPEATED),
        ("/h$$$z", False, REPEATED),
        ("/h$x$$yz", False, REPEATED),
    ],
}

EXPECTED = {
    "robotspy": {
        'test_linesyntax_line[\\n# ID_LineSyntax_Line (mistake - missing ":" - accepted by Google\\n\\nuser-agent FooBot\\ndisallow /\\n-FooBot-http://foo.bar/x/y-False]': COLON,
        "test_google_correctness_accepted_mistakes2[\\nuser-agent FooBot\\ndisallow /\\n-FooBot-http://foo.bar/x/y-False]": COLON,
        "test_google_correctness_user_agent_name0[\\nUser-Agent: *\\nDisallow: /\\nUser-Agent: Foo Bar\\nAllow: /x/\\nDisallow: /\\n-Foo Bar-http://foo.bar/x/y-False]": HEADER,
        "test_google_stress_860237[robots_txt9-XYZ-http://example.com/robots.txt-False]": ALWAYS,
        "test_google_stress_327748[robots_txt5-asdfbot-http://m.example.com/robots.txt-False]": ALWAYS,
        "test_google_stress_369883[robots_txt5-BarBot-http://example.com/robots.txt-False]": ALWAYS,
        "test_google_stress_369883[robots_txt6-AB42bot-http://example.com/foo/bar-True]": OTHER_NAME,
        "test_google_stress_369883[robots_txt7-AB42bot-http://example.com/-True]": OTHER_NAME,
        "test_google_stress_369883[robots_txt8-AB-http://example.com/-False]": OTHER_NAME,
        "test_google_stress_369883[robots_txt9-AB-http://example.com/robots.txt-False]": ALWAYS,
        "test_different_agent[robots_txt1-/tmp-True]": HEADER,
        "test_different_agent[robots_txt2-/tmp/a.html-True]": HEADER,
        "test_different_agent[robots_txt3-/a%3cd.html-True]": HEADER,
        "test_different_agent[robots_txt4-/a%3Cd.html-True]": HEADER,
        "test_different_agent[robots_txt5-/a%2fb.html-True]": HEADER,
        "test_different_agent[robots_txt6-/~joe/index.html-True]": HEADER,
    },
    "protego": {
        "test_user_agent_precedence[/group1-hedwig-news2]": NAME,
        "test_user_agent_precedence[/group3-hedwig-new]": NAME,
        "test_user_agent_precedence[/group3-hedwig-images]": NAME,
        "test_user_agent_boundary_matching[googlebot-googlebot-news-True]": NAME,
        "test_user_agent_boundary_matching[google-googlebot-mobile-True]": NAME,
        "TestProtego::test_request_rate": OTHER,
        "TestProtego::test_request_rate_bare_number": OTHER,
        "TestProtego::test_no_request_rate": OTHER,
        "TestProtego::test_unicode_url_and_useragent": TOKEN,
        "TestProtego::test_empty_user_agent_line": EMPTY,
        "TestProtego::test_grouping_unknown_keys": OTHER,
        "TestProtego::test_generosity": COLON,
        "TestProtego::test_generosity_visit_time": COLON,
        "TestProtego::test_generosity_sitemap": COLON,
        "TestProtego::test_generosity_not_for_unknown_colon_directives": COLON,
        "TestProtego::test_line_endings": PRIVATE,
        "TestProtego::test_index_html_is_directory": INDEX,
        "TestProtego::test_special_symbols_dual_behaviour": SPECIAL,
        "TestProtego::test_with_absolute_urls": PATH,
        "TestProtego::test_visit_time": VISIT,
    },
    "urllib": {
        # Its last assertion: `/%2F[spam]/path` for a rule with `//[spam]/path`.
        "LocalNetworkTestCase::testRead": RESERVED,
    },
    # With a CPython that has groups by name.
    "urllib-groups": {
        "EmptyGroupTest::test_string_formatting": INTERFACE,
        "StringFormattingTest::test_string_formatting": INTERFACE,
        "WeirdPathTest::test_string_formatting": INTERFACE,
        "ConstructedStringFormattingTest::test_group_without_rules": INTERFACE,
        "ConstructedStringFormattingTest::test_group_without_user_agent": INTERFACE,
    },
    "scrapy": {},
    "scrapy-middleware": {
        "TestRobotsTxtMiddleware::test_robotstxt_error": UNREACHABLE,
        "TestRobotsTxtMiddleware::test_robotstxt_immediate_error": UNREACHABLE,
        "TestRobotsTxtMiddleware::test_ignore_robotstxt_request": UNREACHABLE,
        "TestRobotsTxtMiddleware::test_robotstxt_local_file": CALLED,
    },
}
