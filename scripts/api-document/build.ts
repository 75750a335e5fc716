import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { readVersion } from '../../src/server/version.ts'
import { startService } from '../../tests/support/service.ts'
import { describeApi } from './document.ts'

/**
 * Writes the OpenAPI document into dist: a server on an empty database names its routes. The stamp is
 * that of the server's code; a document with the same stamp is left as it is.
 */
export async function buildApiDocument(dist: string, stamp: string): Promise<void> {
  const file = join(dist, 'openapi.json')
  const stampFile = join(dist, 'openapi.stamp')
  const isFresh = existsSync(file) && existsSync(stampFile)
  if (isFresh && readFileSync(stampFile, 'utf8') === stamp) return
  await writeFile(file, await describeApi(await routesOfServer(), readVersion()))
  await writeFile(stampFile, stamp)
}

async function routesOfServer(): Promise<RouteOptions[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-routes-'))
  const routes: RouteOptions[] = []
  const service = await startService({
    dataDir,
    location: { engine: 'sqlite', file: join(dataDir, 'tessera.sqlite') },
    onRoute: (route) => {
      routes.push(route)
    },
  })
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
  return routes
}
