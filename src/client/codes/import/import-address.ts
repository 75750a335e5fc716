import { closeAbove, openAbove, replaceSearch, useSearch } from '../../ui/address-steps.ts'
import { DEFAULT_LIST, queryAfter } from '../list/code-list.ts'

/** Asked for by `?import`, to choose a file; a file that was read is asked for by `?import=` and its id. */
export const NO_FILE = ''

/** The import that a query asks for: its id, NO_FILE, or null where there is none. */
export const importIn = (search: string): string | null => new URLSearchParams(search).get('import')

export const useAskedImport = () => useSearch(importIn)

/** The query with another import asked for, or none. The rest of it stays. */
export function queryWithImport(search: string, id: string | null): string {
  const rest = new URLSearchParams(search)
  rest.delete('import')
  const own = id === NO_FILE ? 'import' : id && `import=${encodeURIComponent(id)}`
  const query = [rest.toString(), own].filter(Boolean).join('&')
  return query && `?${query}`
}

export const openImport = () => openAbove((search) => queryWithImport(search, NO_FILE))

/** Shows another step: Back leads to the list from each. */
export const showImport = (id: string) => replaceSearch((search) => queryWithImport(search, id))

/** Leaves the import for the list, with all codes that have a tag; without one, with all. */
export async function showInList(tag: string): Promise<void> {
  await closeImport()
  replaceSearch((search) => queryAfter(search, { ...DEFAULT_LIST, tag }))
}

export const closeImport = () => closeAbove((search) => queryWithImport(search, null))
