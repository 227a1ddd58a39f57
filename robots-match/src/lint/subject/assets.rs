//! Style sheets and scripts of pages, and the crawlers that load them.

use crate::lint::text::is_one_of;

/// A style sheet or script.
pub(crate) struct Asset {
    pub(crate) path: &'static str,
    /// A text that files of the system have, where the folder has other uses elsewhere.
    pub(crate) marker: &'static str,
}

const fn any(path: &'static str) -> Asset {
    Asset { path, marker: "" }
}

const fn only(marker: &'static str, path: &'static str) -> Asset {
    Asset { path, marker }
}

/// Style sheets and scripts that pages of common systems need: one for each folder. From the documentation of each system and the
/// files that its releases write, 2026-11.
pub(super) static ASSETS: [Asset; 75] = [
    // Any file, with the version as a query.
    any("/css/style.css?ver=1"),
    any("/js/main.js?v=1"),
    // Folders that many sites have.
    any("/css/style.css"),
    any("/js/main.js"),
    any("/assets/css/style.css"),
    any("/assets/js/main.js"),
    any("/static/css/style.css"),
    any("/static/js/main.js"),
    any("/dist/app.js"),
    any("/styles/main.css"),
    any("/stylesheets/application.css"),
    any("/javascripts/application.js"),
    any("/static/frontend/css/style.css"),
    any("/theme/css/style.css"),
    // Next.js: https://nextjs.org/docs/app/api-reference/config/next-config-js/assetPrefix
    any("/_next/static/chunks/main-0a1b2c3d4e5f6a7b.js"),
    any("/_next/static/css/0a1b2c3d4e5f6a7b.css"),
    // Nuxt: https://nuxt.com/docs/api/nuxt-config#buildassetsdir
    any("/_nuxt/entry.0a1b2c3d.js"),
    // Astro: https://docs.astro.build/en/reference/configuration-reference/#buildassets
    any("/_astro/index.0a1b2c3d.css"),
    // SvelteKit: https://svelte.dev/docs/kit/configuration#appDir
    any("/_app/immutable/entry/start.0a1b2c3d.js"),
    // Remix: https://v2.remix.run/docs/file-conventions/remix-config, and Vite: https://vite.dev/config/build-options
    any("/build/entry.client-0A1B2C3D.js"),
    any("/build/root-0A1B2C3D.css"),
    any("/assets/index-0a1b2c3d.js"),
    // Rails: https://guides.rubyonrails.org/asset_pipeline.html, and its packers of scripts
    any("/assets/application-0a1b2c3d.css"),
    any("/packs/js/application-0a1b2c3d.js"),
    any("/vite/assets/application-0a1b2c3d.js"),
    // Django: https://docs.djangoproject.com/en/stable/howto/static-files/
    any("/static/css/base.0a1b2c3d.css"),
    // Laravel: https://laravel.com/docs/vite
    any("/build/assets/app-0a1b2c3d.js"),
    // WordPress: its folders, with the version as a query
    any("/wp-includes/js/jquery/jquery.min.js?ver=3.7.1"),
    any("/wp-content/themes/theme/style.css?ver=6.5"),
    any("/wp-content/plugins/plugin/style.css?ver=1.0"),
    // The style sheets that its programs for speed put together.
    any("/wp-content/cache/min/1/style.css"),
    // Drupal: https://www.drupal.org/docs
    only("/profiles", "/core/misc/drupal.js"),
    only("/includes", "/misc/drupal.js"),
    any("/themes/theme/css/style.css"),
    any("/sites/all/themes/theme/style.css"),
    any("/sites/default/files/css/css_0a1b2c3d.css"),
    // Joomla: https://docs.joomla.org/Robots.txt_file
    only("/administrator", "/templates/template/css/template.css"),
    only("/plugins/", "/templates/template/css/template.css"),
    only("/libraries/", "/templates/template/css/template.css"),
    only("/language/", "/templates/template/css/template.css"),
    only("/administrator", "/media/system/js/core.js"),
    only("/administrator", "/media/jui/js/jquery.min.js"),
    // Magento 1 and 2: https://experienceleague.adobe.com/docs/commerce-operations/configuration-guide
    any("/skin/frontend/default/css/styles.css"),
    any("/static/version1700000000/frontend/Magento/luma/en_US/css/styles-m.css"),
    only("static", "/pub/static/frontend/Magento/luma/en_US/css/styles-m.css"),
    only("catalog", "/pub/static/frontend/Magento/luma/en_US/css/styles-m.css"),
    // Shopify: https://shopify.dev/docs/storefronts/themes
    any("/cdn/shop/t/1/assets/theme.css?v=1"),
    any("/cdn/shop/t/1/assets/theme.js?v=1"),
    // TYPO3: https://docs.typo3.org
    only("typo3", "/typo3conf/ext/site/Resources/Public/Css/style.css"),
    only("typo3", "/typo3temp/assets/compressed/merged-0a1b2c3d.css"),
    // Symfony, Remix, SolidStart and Blazor
    any("/bundles/app/css/style.css"),
    only("build", "/public/build/app.0a1b2c3d.js"),
    any("/_build/assets/client-0a1b2c3d.js"),
    any("/_framework/blazor.web.js"),
    // OpenCart and PrestaShop
    only("/catalog/view", "/catalog/view/javascript/common.js"),
    only("/catalog/view", "/catalog/view/theme/default/stylesheet/stylesheet.css"),
    // Discuz!
    any("/static/js/common.js"),
    only("/uc_server", "/template/default/style/t1/style.css"),
    only("/uc_server", "/data/cache/style_1_common.css"),
    // Bitrix: https://dev.1c-bitrix.ru
    any("/bitrix/templates/site/styles.css"),
    any("/bitrix/js/main/core/core.js"),
    only("bitrix", "/local/templates/site/styles.css"),
    // TYPO3 12: https://docs.typo3.org/c/typo3/cms-core/main/en-us/Changelog/12.0
    any("/_assets/0a1b2c3d4e5f/Css/style.css"),
    // Adobe Experience Manager, Salesforce Commerce Cloud and Expo
    any("/etc.clientlibs/site/clientlibs/clientlib-base.css"),
    any("/on/demandware.static/Sites-Site/-/default/css/global.css"),
    any("/_expo/static/js/web/index-0a1b2c3d.js"),
    // Kinds of files that packers of scripts write.
    any("/assets/css/style.min.css"),
    any("/assets/js/app.bundle.js"),
    any("/assets/js/2.chunk.js"),
    only(".mjs", "/assets/js/app.mjs"),
    any("/wp-content/themes/theme/js/main.js"),
    any("/static/chunks/main-0a1b2c3d.js"),
    any("/webpack/main.js"),
    // ASP.NET
    only("/Scripts", "/Content/site.css"),
    any("/Scripts/jquery.min.js"),
];

/// The crawlers that render pages, as far as their operators say so. Google: developers.google.com/search/docs/crawling-indexing/
/// javascript; Microsoft: blogs.bing.com, 2019-10; Apple: support.apple.com/119829; Yandex: yandex.com/support/webmaster,
/// rendering. All as of 2026-11.
const RENDERING: &str =
    "* googlebot googlebot-mobile googlebot-smartphone bingbot applebot yandex yandexbot baiduspider";

/// Whether a crawler of this name renders pages, or everybody is named.
pub(crate) fn renders_pages(name: &[u8]) -> bool {
    is_one_of(name, RENDERING)
}
