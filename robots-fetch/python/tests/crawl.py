"""Makes one crawl with Scrapy: ``crawl.py SETTINGS URLS``, both as JSON. Prints the statistics as JSON."""

import json
import sys

import scrapy
from scrapy import crawler as crawlers


class Spider(scrapy.Spider):
    name = "test"

    def __init__(self, urls, **options):
        super().__init__(**options)
        self.urls = urls

    async def start(self):
        for url in self.urls:
            yield scrapy.Request(url, dont_filter=True)

    def parse(self, response):
        self.crawler.stats.inc_value(f"parsed{response.url.split('/', 3)[3]}")
        if "page_rules" in response.meta:
            rules = response.meta["page_rules"]
            self.crawler.stats.set_value(f"index/{response.url.rsplit('/', 1)[1]}", str(rules.index))
            self.crawler.stats.set_value(f"training/{response.url.rsplit('/', 1)[1]}", str(rules.training))
        for link in response.css("a::attr(href)").getall() if b"<a" in response.body else []:
            yield response.follow(link)


def main():
    settings, urls = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    settings.setdefault("LOG_LEVEL", "WARNING")
    settings.setdefault("TELNETCONSOLE_ENABLED", False)
    if settings.setdefault("ROBOTSTXT_OBEY", True) == "default":
        del settings["ROBOTSTXT_OBEY"]
    settings.setdefault("CONCURRENT_REQUESTS", 256)
    settings.setdefault("CONCURRENT_REQUESTS_PER_DOMAIN", 8)
    settings.setdefault("DOWNLOAD_DELAY", 0)
    settings.setdefault("RETRY_ENABLED", False)
    settings.setdefault("ROBOTSTXT_WAIT", 8)
    settings.setdefault("USER_AGENT", "ExampleBot/1.0 (+https://example.com/bot)")
    with_reactor = settings.get("TWISTED_REACTOR_ENABLED", True)
    process = (crawlers.CrawlerProcess if with_reactor else crawlers.AsyncCrawlerProcess)(settings)
    crawler = process.create_crawler(Spider)
    process.crawl(crawler, urls=urls)
    process.start()
    json.dump(crawler.stats.get_stats(), sys.stdout, default=str)


if __name__ == "__main__":
    main()
