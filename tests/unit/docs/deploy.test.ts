import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
/** The flags and the file of `npm start` */
const [, started = ''] = /exec node (.*)$/.exec(scripts.start) ?? []

test('the image starts the server as npm start does', () => {
  const [, command = '[]'] = /^CMD (.*)$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? []
  expect(JSON.parse(command)).toEqual(['node', ...started.split(' ')])
})

test('the systemd unit starts the server as npm start does', () => {
  const unit = readFileSync('deploy/tessera.service', 'utf8')
  expect(unit).toContain(`ExecStart=/opt/tessera/node_modules/.bin/node ${started}\n`)
})

test('compose mounts files that are there', () => {
  const compose = readFileSync('deploy/compose.yaml', 'utf8')
  const mounted = [...compose.matchAll(/- \.\/(\S+?):/g)].map(([, name]) => `deploy/${name}`)
  expect(mounted).toEqual(['deploy/clickhouse.xml', 'deploy/Caddyfile'])
  expect(mounted.filter((file) => !existsSync(file))).toEqual([])
})
