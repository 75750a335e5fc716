import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withFormerTypescript } from './former-typescript.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const template = join(root, 'clients', 'typescript')

/**
 * Makes the package of the TypeScript client: `clients/typescript` around what is generated from the
 * OpenAPI document, checked and compiled. @param folder is replaced
 */
export async function makeTypescriptClient(document: string, folder: string): Promise<void> {
  const source = join(folder, 'src')
  await rm(folder, { recursive: true, force: true })
  await mkdir(source, { recursive: true })
  for (const file of ['index.ts', 'retrying.ts', 'webhooks.ts']) {
    await cp(join(template, file), join(source, file))
  }
  for (const file of ['README.md', 'tsconfig.json']) {
    await cp(join(template, file), join(folder, file))
  }
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { info } = JSON.parse(await readFile(document, 'utf8'))
  const about = JSON.parse(await readFile(join(template, 'package.json'), 'utf8'))
  const named = { ...about, version: info.version }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(named, null, 2)}\n`)
  await generateCalls(document, join(source, 'generated'))
  await compile(folder)
}

/** Writes the types, and the class `Calls` with a method for each call. */
function generateCalls(document: string, folder: string): Promise<void> {
  return withFormerTypescript(async () => {
    const { createClient } = await import('@hey-api/openapi-ts')
    await createClient({
      input: resolve(document),
      // The compiled files name each other as Node does.
      output: { path: folder, module: { extension: '.js' } },
      plugins: [
        '@hey-api/typescript',
        {
          name: '@hey-api/sdk',
          operations: { strategy: 'single', containerName: 'Calls' },
          responseStyle: 'data',
        },
        { name: '@hey-api/client-fetch', throwOnError: true },
      ],
      logs: { level: 'silent' },
    })
  })
}

/** Compiles the package with the packages of this project, and leaves it without them. */
async function compile(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules')
  await symlink(join(root, 'node_modules'), packages)
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder])
  await rm(packages)
  await rm(join(folder, 'tsconfig.json'))
  await rm(join(folder, 'src'), { recursive: true })
}
