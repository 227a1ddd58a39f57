// Counts the questions of a document: java Read.java FOLDER DOCUMENT
import java.nio.file.*;
import java.util.*;

public class Read {
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int count = 0, allowed = 0;
        for (String line : Files.readString(folder.resolve("verdicts.tsv")).split("\n")) {
            String[] c = line.split("\t", -1); // id, document, level, readings, needs, agents, url, decision, line, file
            boolean scored = List.of("MUST", "SHOULD", "TEXT").contains(c[2]);
            if (!c[1].equals(arguments[1]) || !scored || !c[3].isEmpty() || !c[4].isEmpty()) continue;
            byte[] body = Files.readAllBytes(folder.resolve("files").resolve(c[9])); // Ask your parser here.
            count++;
            if (c[7].equals("allow")) allowed++;
        }
        System.out.println(arguments[1] + " " + count + " questions, " + allowed + " allowed");
    }
}
