//! Words of `User-Agent` headers that are not names of crawlers.

use crate::known_names::KnownNames;

/// Returns whether a word is sent by browsers: the name of a browser, an engine, or a part of them.
pub(crate) fn is_browser(word: &[u8]) -> bool {
    BROWSERS.find(word).is_some() || starts_with(word, b"musical_ly")
}

/// Returns whether a word is one of those that nearly all browsers send, and that crawlers copy.
pub(crate) fn is_engine(word: &[u8]) -> bool {
    ENGINES.find(word).is_some()
}

/// Returns whether a word that follows the words of browsers is the name of one more browser, as in `AnyBrowser/1.0`.
pub(crate) fn is_like_browser(word: &[u8]) -> bool {
    is_browser(word)
        || ends_with(word, b"Browser")
        || ends_with(word, b"WebView")
        || ends_with(word, b"Explorer")
        || starts_with(word, b"Firefox")
}

/// Returns whether a word with which an item of a comment begins is about a system or a device.
pub(crate) fn is_platform(word: &[u8]) -> bool {
    const STARTS: [&[u8]; 4] = [b"Windows", b"iPhone", b"iPad", b"Nokia"];
    PLATFORMS.find(word).is_some()
        || STARTS.iter().any(|start| starts_with(word, start))
        || is_architecture(word)
}

/// Returns whether a word is a letter or a language, such as `en-US`.
pub(crate) fn is_language(word: &[u8]) -> bool {
    match word {
        [a, b] => a.is_ascii_lowercase() && b.is_ascii_lowercase(),
        [a, b, b'-' | b'_', rest @ ..] => {
            a.is_ascii_lowercase()
                && b.is_ascii_lowercase()
                && (2..=4).contains(&rest.len())
                && rest.iter().all(u8::is_ascii_alphanumeric)
        }
        [_] => true,
        _ => false,
    }
}

/// Returns whether a word is as in `x86_64`, `i686`, `armv7l`, `Win64` and `.NET4.0C`.
fn is_architecture(word: &[u8]) -> bool {
    let digit_after =
        |start: &[u8]| starts_with(word, start) && word.get(start.len()).is_some_and(u8::is_ascii_digit);
    digit_after(b"x")
        || digit_after(b"i")
        || digit_after(b"win")
        || starts_with(word, b"armv")
        || starts_with(word, b".net")
}

/// Returns whether a word, with which a header begins, is about a telephone, as in `Nokia6100/1.0`.
pub(crate) fn is_device(word: &[u8]) -> bool {
    const STARTS: [&[u8]; 10] = [
        b"DoCoMo",
        b"KDDI-",
        b"BlackBerry",
        b"SAMSUNG-",
        b"Nokia",
        b"LG-",
        b"SonyEricsson",
        b"MOT-",
        b"ZTE-",
        b"HUAWEI-",
    ];
    STARTS.iter().any(|start| starts_with(word, start))
}

/// Returns whether a word is the name of a library or a general tool that crawlers use. If nothing else names the crawler, its
/// name counts.
pub(crate) fn is_library(word: &[u8]) -> bool {
    LIBRARIES.find(word).is_some()
        || starts_with(word, b"libwww")
        || starts_with(word, b"libcurl")
        || ends_with(word, b"-http-client")
        || ends_with(word, b"HttpClient")
}

/// Returns whether the name of a library is that of a language or its runtime, so that another library says more.
pub(crate) fn is_runtime(word: &[u8]) -> bool {
    RUNTIMES.find(word).is_some()
}

/// Returns whether a word says by itself only that somebody is a crawler, or nothing.
pub(crate) fn is_general(word: &[u8]) -> bool {
    GENERAL.find(word).is_some()
}

/// The ends of words that say that somebody is a crawler, each with what may follow it in its word.
const CRAWLER_SIGNS: [(&[u8], &[&[u8]]); 6] = [
    (b"bot", &[b"", b"s"]),
    (b"crawl", &[b"", b"s", b"er", b"ers", b"ing"]),
    (b"spider", &[b"", b"s"]),
    (b"fetch", &[b"", b"er", b"ers", b"ing"]),
    (b"scrap", &[b"e", b"er", b"ers", b"ing", b"y"]),
    (b"archiv", &[b"e", b"er", b"ers", b"es", b"ing", b"ist"]),
];

/// Returns whether a word says that somebody is a crawler: it has one of the signs where letters end, as in `ExampleBot-Images`, and not
/// as in `Robotics`.
pub(crate) fn shows_crawler(word: &[u8]) -> bool {
    let is_sign = |at: usize, (sign, ends): &(&[u8], &[&[u8]])| {
        let rest = word.get(at..).unwrap_or_default();
        let after = rest.get(sign.len()..).unwrap_or_default();
        let letters = after.iter().take(4).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let end = after.get(..letters).unwrap_or_default();
        starts_with(rest, sign) && ends.iter().any(|known| end.eq_ignore_ascii_case(known))
    };
    (0..word.len()).any(|at| CRAWLER_SIGNS.iter().any(|sign| is_sign(at, sign)))
}

/// Returns whether a text has a part that names of crawlers have, and names of browsers and systems do not.
pub(crate) fn has_sign(text: &[u8]) -> bool {
    const SIGNS: [&[u8]; 19] = [
        b"agent", b"preview", b"scan", b"check", b"monitor", b"search", b"parser", b"proxy", b"reader",
        b"feed", b"index", b"snoop", b"watch", b"analy", b"probe", b"audit", b"slurp", b"insight", b"detect",
    ];
    (0..text.len()).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        let first = rest.first().map_or(0, u8::to_ascii_lowercase);
        matches!(first, b'a'..=b'i' | b'm' | b'p' | b'r' | b's' | b'w')
            && CRAWLER_SIGNS
                .iter()
                .map(|(sign, _)| sign)
                .chain(&SIGNS)
                .any(|sign| sign.first() == Some(&first) && starts_with(rest, sign))
    })
}

pub(crate) fn starts_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

fn ends_with(text: &[u8], end: &[u8]) -> bool {
    let at = text.len().checked_sub(end.len());
    at.and_then(|at| text.get(at..)).is_some_and(|text| text.eq_ignore_ascii_case(end))
}

#[rustfmt::skip]
const BROWSERS: KnownNames<'static> = KnownNames::new(&[
    "115Browser", "2345Explorer", "360EE", "360SE", "ABI", "AliApp", "AlipayClient", "AlohaBrowser", "Amaya", "AOL",
    "AOLBuild", "AppleWebKit", "AppName", "Arora", "Atom", "Avant", "Avast", "AVG", "aweme", "baiduboxapp",
    "Basilisk", "bdbrowser", "Beaker", "Bluefox", "Bolt", "BonEcho", "Brave", "BroPP", "Browser", "BytedanceApp",
    "BytedanceWebview", "ByteLocale", "Camino", "CCleaner", "CFNetwork", "Channel", "Chedot", "Chrome", "chromeframe",
    "Chromium", "Citrio", "Coast", "Coc_Coc_browser", "Comodo_Dragon", "compatible", "Config", "Configuration",
    "Conkeror", "CordovaWebView", "CoRom", "CriOS", "CrKey", "Crosswalk", "Cyberfox", "Dalvik", "Darwin", "Daum",
    "DaumApps", "Ddg", "Debian", "Dillo", "DingTalk", "Dooble", "Dragon", "DuckDuckGo", "Ecosia", "EcosiaAndroid",
    "EcosiaIOS", "Edg", "EdgA", "Edge", "EdgiOS", "EdgW", "Electron", "ELinks", "Epiphany", "Falkon", "Fedora",
    "Feishu", "Fennec", "Firebird", "Firefox", "Flock", "Flow", "Focus", "FxiOS", "Galeon", "Gecko", "Gentoo",
    "Ghostery", "GNUzilla", "Goanna", "GoBrowser", "GoogleApp", "GPVersion", "GranParadiso", "GSA", "HeadlessChrome",
    "HeyTapBrowser", "HMSCore", "HuaweiBrowser", "IBrowse", "iCab", "IceApe", "IceCat", "IceDragon", "Iceweasel",
    "IEMobile", "Instagram", "Iridium", "Iron", "JioBrowser", "JioSphere", "JsSdk", "JuziBrowser", "K-Meleon",
    "KAIOS", "KAKAOTALK", "Kapiko", "Kazehakase", "KHTML", "Kindle", "Klar", "Konqueror", "Kylo", "Language", "Lark",
    "LBBROWSER", "LibVLC", "LieBaoFast", "Light", "Line", "LinkedInApp", "Lunascape", "Mageia", "Mandriva", "Maui",
    "Maxthon", "MetaMobile", "MetaSr", "MicroMessenger", "Midori", "Min", "Minefield", "Mini", "MiniBrowser",
    "Minimo", "MiuiBrowser", "MMP", "MMWEBID", "MMWEBSDK", "Mobi", "Mobile", "MobileIE", "MobileSafari", "Mozilla",
    "MQQBrowser", "MRCHROME", "MSIE", "musical_ly", "MxBrowser", "MZBrowser", "Namoroka", "NAVER", "NaverApp",
    "Navigator", "NetFront", "Netscape", "NetSurf", "NetType", "NewsArticle", "NF", "NintendoBrowser", "NokiaBrowser",
    "Norton", "OculusBrowser", "OmniWeb", "OnePlusBrowser", "Opera", "OPiOS", "OPR", "OPRX", "OPT", "OPX", "Orca",
    "Otter", "PaleMoon", "PhantomJS", "Phoenix", "PhoenixBrowser", "Polaris", "Polarity", "Presearch", "Presto",
    "Prism", "Process", "Profile", "Puffin", "QihooBrowser", "QIHU", "QQ", "QQBrowser", "Qt", "QtWeb", "QtWebEngine",
    "Quark", "QuickLook", "QupZilla", "Raspbian", "RealmeBrowser", "Region", "Rekonq", "RockMelt", "rv", "Safari",
    "SailfishBrowser", "SamsungBrowser", "SeaMonkey", "Seznam", "Shiretoko", "Silk", "SkyLeap", "Skype", "Slack",
    "Slackware", "Sleipnir", "Snapchat", "SogouMobileBrowser", "SogouMSE", "SP-engine", "SputnikBrowser", "Station",
    "Sunrise", "Superbird", "Surf", "SUSE", "SVN", "Swiftfox", "T7", "TBS", "Teams", "Telegram", "Telegram-Android", "TencentTraveler",
    "TenFourFox", "TheWorld", "Thunderbird", "TizenBrowser", "Trident", "Trisquel", "TTWebView", "TV", "Twitter",
    "TwitterAndroid", "Ubuntu", "UCBrowser", "UCWEB", "Ungoogled", "Unique", "UNTRUSTED", "UP.Browser", "UP.Link",
    "USER_AGENT", "Uzbl", "VendorID", "Version", "Viber", "Viewer", "Vision", "Vivaldi", "VivoBrowser", "VR", "w3m",
    "Waterfox", "Wavebox", "WebAppManager", "WebKit", "WebPositive", "WeChat", "Weibo", "Whale", "WhatsApp_Browser",
    "WindowsWechat", "WKWebView", "Worldwide", "XiaoMi", "XWEB", "XWebKit", "YaApp_Android", "YaBrowser",
    "Yandexsearch", "YaSearchBrowser", "YJApp", "Yolo", "Yowser", "Zalo", "Zenzi",
]);

#[rustfmt::skip]
const ENGINES: KnownNames<'static> = KnownNames::new(&[
    "AppleWebKit", "Chrome", "compatible", "Firefox", "Gecko", "HeadlessChrome", "KHTML", "Mobile", "Mozilla", "MSIE",
    "Safari", "Trident", "Version",
]);

#[rustfmt::skip]
const PLATFORMS: KnownNames<'static> = KnownNames::new(&[
    "aarch64", "AFTB", "amd64", "Amiga", "AmigaOS", "Android", "AOL", "AOLBuild", "AppleTV", "AppleWebKit", "arm",
    "arm64", "arm_64", "AskTbORJ", "Avant", "BB10", "BeOS", "BlackBerry", "BlackBerry9800", "Build", "CentOS",
    "Chrome", "CPU", "CrOS", "Darwin", "Debian", "desktop", "Fedora", "Firefox", "FreeBSD", "Fuchsia",
    "FunWebProducts", "Galaxy", "Gecko", "Generic", "Gentoo", "GTB", "GUI", "Haiku", "HarmonyOS", "HTC", "HTC_Touch",
    "Huawei", "ia64", "in-app", "inapp", "Infinix", "InfoPath", "Intel", "iOS", "iPad", "iPadOS", "iPhone", "iPod",
    "iPod touch", "IRIX", "J2ME", "KaiOS", "KHTML", "Konqueror", "Lenovo", "LG", "like", "Linux", "linux-gnu",
    "Lumia", "Mac", "Mac_PowerPC", "Macintosh", "Maemo", "Maxthon", "Media", "MeeGo", "Mi", "Microsoft", "Mobile",
    "moto", "Motorola", "Mozilla", "MS-RTC", "MSIE", "NetBSD", "Netscape", "Nexus", "Nintendo", "NOKIA", "not",
    "Nothing", "Oculus", "OfficeLiveConnector", "OfficeLivePatch", "OneKey", "OnePlus", "OpenBSD", "Opera", "OPPO",
    "OS", "OS/2", "Palm", "PalmOS", "Phone", "Pixel", "Platform", "PlayStation", "POCO", "PPC", "ppc64", "PSP",
    "Quest", "Raspbian", "realme", "Redmi", "rv", "S60", "Safari", "Sailfish", "Samsung", "Series40", "Series60",
    "SLCC1", "SLCC2", "SMART-TV", "SmartTV", "SunOS", "SV1", "Symbian", "SymbianOS", "SymbOS", "Tablet", "TECNO",
    "Tizen", "Touch", "TouchPad", "Trident", "TV", "Ubuntu", "Unknown", "USB", "vivo", "vr", "watchOS", "Web0S",
    "WebOS", "WebTV", "WifiWebAuthApplet", "WinCE", "WinNT", "WOW64", "WPDesktop", "wv", "X11", "Xbox", "Xiaomi",
    "Xperia", "zh", "ZTE", "Zune",
]);

#[rustfmt::skip]
const LIBRARIES: KnownNames<'static> = KnownNames::new(&[
    "AHC", "aiohttp", "akka-http", "Apache", "Apache-HttpAsyncClient", "Apache-HttpClient", "AsyncHttpClient",
    "axios", "Boost.Beast", "Bun", "cpp-httplib", "Crystal", "curl", "Dart", "Deno", "Embarcadero", "EventMachine",
    "Excon", "Faraday", "fasthttp", "fetch", "Furl", "Go", "Go-http-client", "got", "grequests", "Guzzle",
    "GuzzleHttp", "hackney", "http-kit", "HTTP-Tiny", "http.client", "http.rb", "HTTP_Request2", "httparty",
    "HTTPClient", "HTTPie", "httplib2", "httpx", "ibrowse", "IXR", "Jakarta", "Java", "Java-http-client", "Jersey",
    "Jetty", "jsdom", "Ktor", "ktor-client", "libsoup", "lua-resty-http", "LWP", "LWP::Simple", "Manticore",
    "Mechanize", "Microsoft-CryptoAPI", "mitt", "Mojolicious", "needle", "Nim", "Node", "node-fetch", "node.js",
    "okhttp", "OpenSSL", "perl", "PHP", "PHP-cURL", "PHP-Curl-Class", "PostmanRuntime", "PycURL", "Python",
    "Python-httpx", "python-requests", "Python-urllib", "Quiche", "ReactorNetty", "req", "request", "Requests",
    "reqwest", "rest-client", "RestSharp", "Ruby", "Snoopy", "SSL-MM", "superagent", "SwiftNIO", "Symfony", "tornado",
    "treq", "Typhoeus", "undici", "Unirest", "UnityPlayer", "ureq", "urllib", "urllib3", "Vert.x-WebClient", "wget",
    "WinHTTP", "WinHttpRequest", "WordPress", "WWW-Mechanize", "Zend_Http_Client",
]);

const RUNTIMES: KnownNames<'static> = KnownNames::new(&[
    "Bun", "Crystal", "Dart", "Deno", "Go", "Java", "Nim", "Node", "node.js", "OpenSSL", "perl", "PHP",
    "Python", "Ruby", "SSL-MM",
]);

#[rustfmt::skip]
const GENERAL: KnownNames<'static> = KnownNames::new(&[
    "abuse", "agent", "app", "bot", "bots", "check", "client", "com", "contact", "crawler", "crawlers", "email",
    "feed", "fetch", "fetcher", "http", "https", "inapp", "index", "info", "mailto", "monitor", "net", "org",
    "preview", "proxy", "reader", "release", "robot", "robots", "scan", "scanner", "search", "spider", "subscriber",
    "subscribers", "url", "user-agent", "web", "www",
]);
