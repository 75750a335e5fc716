/**
 * Checks kubernetes.yaml against the schemas of the npm package kubernetes-models. check.sh runs it where
 * that package is installed.
 */
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

/** The fields that no schema has looked at: the schemas allow unknown ones. */
const unread = new Set()

/** A copy whose fields leave `unread` when they are read. */
function watched(value, path) {
  if (value === null || typeof value !== 'object') return value
  const copy = Array.isArray(value) ? [] : {}
  for (const [key, part] of Object.entries(value)) {
    const name = `${path}.${key}`
    const inner = watched(part, name)
    unread.add(name)
    const get = () => {
      unread.delete(name)
      return inner
    }
    Object.defineProperty(copy, key, { enumerable: true, get })
  }
  return copy
}

for (const document of parseAllDocuments(readFileSync(process.argv[2], 'utf8'))) {
  const object = document.toJS()
  const { [object.kind]: Kind } = await import(`kubernetes-models/${object.apiVersion}`)
  Object.assign(new Kind(object), watched(object, object.kind)).validate()
}
if (unread.size > 0) throw new Error(`unknown fields: ${[...unread].join(', ')}`)
