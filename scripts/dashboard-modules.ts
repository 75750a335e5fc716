import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'

const at = (path: string) => fileURLToPath(new URL(`../src/client/${path}`, import.meta.url))

/** Files of the modules that the dashboard has before anything is touched, found by building it without what comes late. */
export async function dashboardModules(): Promise<Set<string>> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      react(),
      {
        name: 'leave-late-parts-out',
        resolveDynamicImport: () => ({ id: 'late', external: true }),
      },
    ],
    build: {
      write: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: ['main.tsx', 'pages/dashboard-page.tsx', 'analytics/chart/scans-chart.tsx'].map(at),
        preserveEntrySignatures: 'strict',
      },
    },
  })) as Rolldown.RolldownOutput
  const modules = output.flatMap((part) =>
    part.type === 'chunk' ? Object.entries(part.modules) : [],
  )
  const drawn = modules.filter(([, { renderedLength }]) => renderedLength > 0)
  return new Set(drawn.map(([file]) => file))
}
