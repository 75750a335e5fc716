import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The fonts of every page in Latin: the browser would find them only behind scripts and styles. */
const PRELOADED = /-latin-wght-normal-.*\.woff2$/

function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => PRELOADED.test(file))
          .map((file) => ({
            tag: 'link',
            injectTo: 'head' as const,
            attrs: {
              ...{ rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true },
              href: `/${file}`,
            },
          })),
    },
  }
}

export default defineConfig({
  root: at('./src/client'),
  publicDir: at('./public'),
  plugins: [react(), preloadFonts()],
  css: {
    // The prerendered landing page and its script come from two builds and must agree on class names.
    modules: { generateScopedName: '[name]_[local]_[hash:base64:5]' },
  },
  build: {
    outDir: at('./dist/client'),
    emptyOutDir: true,
    // No data: URLs in scripts and styles, so that font-src 'self' holds.
    assetsInlineLimit: 0,
    // The polyfill is an inline script that every browser we build for can do without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        landing: at('./src/client/landing.html'),
        app: at('./src/client/app.html'),
        'sign-in': at('./src/client/sign-in.html'),
      },
      output: {
        codeSplitting: {
          // Left alone, each new screen would cut what is shared into ever more and smaller files.
          // Whoever signs in comes to the dashboard next: the sign-in page brings what both need.
          groups: [
            { name: 'schemas', test: /node_modules\/zod\/|src\/contract\/zod/ },
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|react-error-boundary|scheduler)\//,
            },
            // What the landing page shares with the app has to stand apart from all else.
            {
              name: 'offer',
              test: /src\/client\/ui\/(logo|formats)|src\/contract\/plans/,
            },
            // Whoever types on the landing page draws, and needs nothing else of the app for it.
            { name: 'engine', test: /node_modules\/qr\/|src\/qr\// },
            { name: 'frame', test: /node_modules\//, minShareCount: 2 },
            {
              name: 'common',
              test: /src\/client\/(billing|accounts|api|query-client|ui\/)/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
})
