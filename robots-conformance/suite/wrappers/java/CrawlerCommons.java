import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** Answers questions for crawler-commons: each line has the file, the crawler and the URL in base64, each after a "=". */
public final class CrawlerCommons {
    private static byte[] bytes(String word) {
        return Base64.getDecoder().decode(word.substring(1));
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            // Names have to be in lower case (SimpleRobotRulesParser.parseContent).
            String name = new String(bytes(words[1]), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
            String url = new String(bytes(words[2]), StandardCharsets.UTF_8);
            SimpleRobotRules rules =
                    new SimpleRobotRulesParser().parseContent(url, bytes(words[0]), "text/plain", List.of(name));
            System.out.println(rules.isAllowed(url) ? 1 : 0);
        }
    }
}
