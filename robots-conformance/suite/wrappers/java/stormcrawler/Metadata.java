package org.apache.stormcrawler;

/** What RobotsTags calls of StormCrawler's class of this name, which needs the libraries of Storm. */
public final class Metadata {
    private final String[] fields;

    public Metadata(String[] fields) {
        this.fields = fields;
    }

    public String[] getValues(String key, String prefix) {
        return fields.length == 0 ? null : fields;
    }

    public void setValue(String key, String value) {}
}
