import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.util.RobotsTags;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * Answers questions about pages for StormCrawler: each line has the fields, the HTML and the crawler in base64, each after a "=".
 * The fields and the meta element are given to RobotsTags as JSoupParserBolt does.
 */
public final class StormCrawler {
    private static String text(String word) {
        return new String(Base64.getDecoder().decode(word.substring(1)), StandardCharsets.UTF_8);
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            String[] values =
                    text(words[0])
                            .lines()
                            .filter(field -> field.toLowerCase(Locale.ROOT).startsWith("x-robots-tag:"))
                            .map(field -> field.substring(field.indexOf(':') + 1).strip())
                            .toArray(String[]::new);
            RobotsTags tags = new RobotsTags(new Metadata(values), "");
            // The bolt passes on what is not HTML.
            boolean isHtml =
                    text(words[0])
                            .lines()
                            .map(field -> field.toLowerCase(Locale.ROOT))
                            .filter(field -> field.startsWith("content-type:"))
                            .allMatch(field -> field.contains("html"));
            Element element =
                    Parser.htmlParser()
                            .parseInput(isHtml ? text(words[1]) : "", "https://example.com/")
                            .selectFirst("meta[name~=(?i)robots][content]");
            if (element != null) {
                tags.extractMetaTags(element.attr("content"));
            }
            System.out.printf(
                    "index=%s follow=%s archive=%s%n",
                    tags.isNoIndex() ? "no" : "yes",
                    tags.isNoFollow() ? "no" : "yes",
                    tags.isNoCache() ? "no" : "yes");
        }
    }
}
