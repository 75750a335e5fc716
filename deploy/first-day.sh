#!/usr/bin/env bash
# Lives an operator's first days in a bare root of Debian that has only this machine's Node and npm: unpacks a
# release, starts it, makes a code, backs up, restores elsewhere, and follows the printed link there. As root, with
# mmdebstrap: bash deploy/first-day.sh dist/tessera-0.1.0.tar.gz
set -euo pipefail
release=$(realpath "${1:?the release that npm run release has made}")
work=$(mktemp -d)
root=$work/root
trap 'umount -l "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf "$work"' EXIT
mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$root" /etc/apt/sources.list.d/debian.sources
cp "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules" "$root/opt/tessera"
cp -r "$(npm root -g)/npm" "$root/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
tar -xzf "$release" -C "$root/opt/tessera" --strip-components=1
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
inside() {
  chroot "$root" env -i -C /opt/tessera HOME=/root PATH=/usr/local/bin:/usr/bin:/bin \
    npm_config_registry="$(npm config get registry)" npm_config_cafile=/etc/ssl/certs/ca-certificates.crt "$@"
}
inside npm ci --omit=dev --no-audit --no-fund
cat >"$root/opt/tessera/first-day.mjs" <<'DAY'
import { execFileSync, spawn } from 'node:child_process'

const key = 'a key for the backups of this day'
async function start(dataDir, port) {
  const origin = `http://localhost:${port}`
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: origin, LOG_LEVEL: 'warn' }
  const server = spawn('npm', ['start'], { env, stdio: 'inherit', detached: true })
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    if ((await fetch(`${origin}/readyz`).catch(() => ({ ok: false }))).ok) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const stop = async () => {
    process.kill(-server.pid, 'SIGTERM')
    if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve))
  }
  return { origin, stop }
}
const run = (dataDir, ...command) =>
  execFileSync('npm', ['run', '-s', ...command], { env: { ...process.env, DATA_DIR: dataDir, BACKUP_KEY: key }, stdio: 'inherit' })

const first = await start('/srv/first', 3000)
let cookie = ''
async function ask(method, path, body) {
  const headers = { origin: first.origin, cookie, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(first.origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  cookie ||= answer.headers.getSetCookie()[0].split(';')[0]
  return answer.json()
}
await ask('POST', '/api/auth/sign-up/email', { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' })
const { id } = await ask('POST', '/api/qr-codes/draft')
const code = await ask('PATCH', `/api/qr-codes/${id}`, { name: 'Menu', url: 'https://example.com/menu' })
const leadsTo = async ({ origin }) =>
  (await fetch(`${origin}/qr/${code.shortCode}`, { redirect: 'manual' })).headers.get('location')
console.log('The first code leads to', await leadsTo(first))
run('/srv/first', 'backup', '--', '/srv/today.backup')
await first.stop()
run('/srv/second', 'restore', '--', '/srv/today.backup')
const second = await start('/srv/second', 3001)
const place = await leadsTo(second)
await second.stop()
if (place !== 'https://example.com/menu') throw new Error(`the restored code leads to ${place}`)
console.log('The restored code leads to', place)
DAY
inside node first-day.mjs
