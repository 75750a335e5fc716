import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('./src/client'),
  publicDir: at('./public'),
  plugins: [react()],
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
