// Counts the questions of a document: go run read.go FOLDER DOCUMENT
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	folder, document := os.Args[1], os.Args[2]
	text, err := os.ReadFile(folder + "/verdicts.tsv")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	count, allowed := 0, 0
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:] {
		c := strings.Split(line, "\t") // id, document, level, readings, needs, agents, url, decision, line, file
		if c[1] != document || !strings.Contains("MUST SHOULD TEXT", c[2]) || c[3] != "" || c[4] != "" {
			continue
		}
		if _, err := os.ReadFile(folder + "/files/" + c[9]); err == nil { // Ask your parser about it, c[5] and c[6] here.
			count++
		}
		if c[7] == "allow" {
			allowed++
		}
	}
	fmt.Println(document, count, "questions,", allowed, "allowed")
}
