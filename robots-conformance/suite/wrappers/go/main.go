// Answers questions for parsers in Go: `main grobotstxt` or `main temoto`. Each line has the file, the crawler and the URL in
// base64, each after a "=".
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/jimsmart/grobotstxt"
	"github.com/temoto/robotstxt"
)

func allowed(name string, body []byte, agent string, target string) (bool, error) {
	if name == "grobotstxt" {
		return grobotstxt.AgentAllowed(string(body), agent, target), nil
	}
	robots, err := robotstxt.FromBytes(body)
	if err != nil {
		return false, err
	}
	// It takes the path, and its README gives it that of a parsed URL.
	parsed, err := url.Parse(target)
	if err != nil {
		return false, err
	}
	return robots.TestAgent(parsed.RequestURI(), agent), nil
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		var words [3][]byte
		for i, word := range strings.Fields(line) {
			words[i], _ = base64.StdEncoding.DecodeString(word[1:])
		}
		allow, err := allowed(os.Args[1], words[0], string(words[1]), string(words[2]))
		switch {
		case err != nil:
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
		case allow:
			fmt.Println(1)
		default:
			fmt.Println(0)
		}
	}
}
