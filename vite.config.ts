import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * The Latin fonts of every page. Without a preload the browser finds them only after the styles. In the
 * app the headings' font may come after the script: a font of the same width stands in for it.
 */
const PRELOADED = /-latin-wght-normal-.*\.woff2$/
const PRELOADED_IN_APP = /figtree-latin-wght-normal-.*\.woff2$/

function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {}, filename }) =>
        Object.keys(bundle)
          .filter((file) =>
            (filename.endsWith('app.html') ? PRELOADED_IN_APP : PRELOADED).test(file),
          )
          .map((file) => ({
            tag: 'link',
            injectTo: 'head' as const,
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
              href: `/${file}`,
            },
          })),
    },
  }
}

const DASHBOARD = /pages\/dashboard-page\.tsx$/

const WITH_SHELL = /(app|sign-in)\.html$/
const STYLE_SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/g

/**
 * Lets no page wait for a style sheet before it is drawn. The app and the sign-in page have a shell, and
 * `stylesArrived` makes style sheets of their preloads; the landing page has its styles inside.
 */
function drawBeforeStyles(): Plugin {
  return {
    name: 'draw-before-styles',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {}, filename }) => {
        if (WITH_SHELL.test(filename)) {
          return html.replaceAll(
            '<link rel="stylesheet"',
            '<link rel="preload" as="style" data-styles',
          )
        }
        if (!filename.endsWith('landing.html')) return html
        return html.replaceAll(STYLE_SHEET, (link, file: string) => {
          const styles = bundle[file]
          return styles?.type === 'asset' ? `<style>${styles.source}</style>` : link
        })
      },
    },
  }
}

/** Most people come for the dashboard: its part is fetched with the rest, not after it has run. */
function preloadDashboard(): Plugin {
  return {
    name: 'preload-dashboard',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {}, filename }) => {
        const page = Object.values(bundle).find(
          (part) => part.type === 'chunk' && DASHBOARD.test(part.facadeModuleId ?? ''),
        )
        if (page?.type !== 'chunk' || !filename.endsWith('app.html')) return []
        const styles = [...(page.viteMetadata?.importedCss ?? [])].map((file) => ({
          rel: 'preload',
          as: 'style',
          crossorigin: true,
          href: `/${file}`,
        }))
        const scripts = [page.fileName, ...page.imports]
          .filter((file) => !html.includes(file))
          .map((file) => ({ rel: 'modulepreload', crossorigin: true, href: `/${file}` }))
        return [...scripts, ...styles].map((attrs) => ({ tag: 'link', injectTo: 'head', attrs }))
      },
    },
  }
}

export default defineConfig({
  root: at('./src/client'),
  publicDir: at('./public'),
  plugins: [react(), drawBeforeStyles(), preloadDashboard(), preloadFonts()],
  css: {
    // The prerendered landing page and its script come from two builds and must agree on class names.
    modules: { generateScopedName: '[name]_[local]_[hash:base64:5]' },
  },
  build: {
    outDir: at('./dist/client'),
    emptyOutDir: true,
    // No data: URLs in scripts and styles: the policy says font-src 'self'.
    assetsInlineLimit: 0,
    // The polyfill is an inline script that no browser we build for needs.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        landing: at('./src/client/landing.html'),
        app: at('./src/client/app.html'),
        'sign-in': at('./src/client/sign-in.html'),
      },
      output: {
        codeSplitting: {
          // Without groups, each new screen would cut the shared code into more and smaller files.
          // scripts/build.ts adds the last one: what the dashboard shares with other screens.
          groups: [
            {
              name: 'react',
              test: /rolldown\/runtime|node_modules\/(react|react-dom|react-error-boundary|scheduler)\//,
            },
            // The landing page loads this part of the app and nothing else.
            {
              name: 'shared',
              test: /vite\/preload-helper|src\/(client\/(account-tabs|kept-form|verdict-text|ui\/(page\/logo|prices))|contract\/(code-values|links|pictures\/pictures|plans|time)|qr\/symbol\/look)\.tsx?$/,
            },
            { name: 'schemas', test: /node_modules\/zod\/|src\/contract\/zod/ },
            // Loaded when a visitor of the landing page begins to type.
            // Shapes, logos and frames, and the letters of frames: most codes have none.
            { name: 'letters', test: /qr\/artwork\/letter-outlines/ },
            {
              name: 'scenes',
              test: /qr\/(artwork\/(?!artwork\.ts|frame-text|letter)|symbol\/(alignment|code-words))/,
            },
            {
              name: 'engine',
              test: /node_modules\/qr\/|src\/qr\/(?!artwork|photo\/troubles|scan-check\/verdict)/,
            },
          ],
        },
      },
    },
  },
})
