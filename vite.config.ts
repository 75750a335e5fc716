import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * The landing page reads the plan catalogue. What the catalogue's file says to Zod is dropped where
 * nobody uses it, and Zod with it: a third of that page's script otherwise.
 */
const catalogueWithoutZod: Plugin = {
  name: 'catalogue-without-zod',
  apply: 'build',
  transform: {
    filter: { id: /\/src\/contract\/(?!zod\.ts)/ },
    handler: (code, id) => {
      const pure = code.replaceAll(/\bz\.(?=\w+\()/g, '/* @__PURE__ */ z.')
      // Past contract/zod.ts, whose setting every other schema needs and this file does not.
      return id.endsWith('/plans.ts') ? pure.replace(/(['"])\.\/zod\.ts\1/, '"zod"') : pure
    },
  },
}

export default defineConfig({
  root: at('./src/client'),
  publicDir: at('./public'),
  plugins: [react(), catalogueWithoutZod],
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
          groups: [{ name: 'schemas', test: /node_modules\/zod\/|src\/contract\/zod/ }],
        },
      },
    },
  },
})
