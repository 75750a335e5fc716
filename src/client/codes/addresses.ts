import type { MouseEvent } from 'react'
import { useLocation } from 'wouter'
import {
  closeAbove,
  openAbove,
  openedBy,
  queryWithValue,
  replaceSearch,
  step,
  useSearch,
} from '../ui/dialog/address-steps.ts'
import { PLANS } from '../ui/plans-link.tsx'
import { keepWorkspace } from '../workspace.ts'
import { DEFAULT_LIST, queryAfter } from './list/code-list.ts'

/* The parts of the dashboard's address that open something. */

/** Asked for by `?new`; an existing code is asked for by `?edit=` and its id. */
export const NEW = ''

/** The code whose form a query asks for: its id, NEW, or null if it asks for none. */
export function codeAskedBy(query: string): string | null {
  const asked = new URLSearchParams(query)
  return asked.has('new') ? NEW : asked.get('edit') || null
}

/** The code that the page's address asks for. A change of the list's part of the address draws nothing again. */
export const useAskedCode = () => useSearch(codeAskedBy)

/** `?ready=` and the id of a code that was saved first, and is ready to print. */
export const readyAddress = openedBy('ready')

const NAMES = ['new', 'edit', 'ready']

/** The query with another code asked for, or none. The rest of it belongs to the list and stays. */
export function queryWith(query: string, code: string | null): string {
  const rest = NAMES.reduce((search, name) => queryWithValue(search, name, null), query)
  if (code === null) return rest
  return code === NEW ? queryWithValue(rest, 'new', '') : queryWithValue(rest, 'edit', code)
}

/** The query with a code that is shown as ready, in place of its form. */
export const queryWithReady = (query: string, id: string) =>
  queryWithValue(queryWith(query, null), 'ready', id)

/** Opens a code's form, or with NEW the form of a new one. */
export function openCode(id: string): void {
  openAbove((query) => queryWith(query, id))
}

export const openNewCode = () => openCode(NEW)

/** The form of a new copy opens with the name selected. */
let isCopy = false

export function openCopy(id: string): void {
  isCopy = true
  openCode(id)
}

/** Whether the opening form is that of a new copy. True only once for each copy. */
export function takeCopy(): boolean {
  const was = isCopy
  isCopy = false
  return was
}

/** Changes the code that the current history entry asks for. */
export const replaceCode = (id: string | null) => replaceSearch((query) => queryWith(query, id))

/** Shows a code as ready, in the history entry that its form had: Back leads to the list. */
export const showReady = (id: string) => replaceSearch((query) => queryWithReady(query, id))

/** Leaves the address of the form, or of the code that is ready. Back does not come to it again. */
export const closeCode = () => closeAbove((query) => queryWith(query, null))

/** Undoes a press of Back, for a form that stays open. */
export const stayAtCode = (id: string) => void step(1, queryWith(window.location.search, id))

/** `?series` */
export const seriesAddress = openedBy('series')

/** `?import` to choose a file, and with its id a file that was read: Back leads to the list from each step. */
export const importAddress = openedBy('import')
export const NO_FILE = ''

/** Leaves an import for the list of its codes. */
export async function showInList(importId: string): Promise<void> {
  await importAddress.close()
  replaceSearch((search) => queryAfter(search, { ...DEFAULT_LIST, importId }))
}

/** `?print=` and the id of the code whose print is checked. */
export const printAddress = openedBy('print')

/** `?rules=` and the id of the code whose rules and limits are open. */
export const rulesAddress = openedBy('rules')

/** `?history=` and the id of the code whose history is open. */
export const historyAddress = openedBy('history')

/** The page that checks a print of a code, on any device of its owner. */
export const printLink = (hostUrl: string, id: string) =>
  `${hostUrl}${keepWorkspace(`/dashboard${queryWithValue('', 'print', id)}`)}`

/** For links to the plans in a form, which `leave` leaves: one press of Back leads to the list. */
export function usePlansLink(leave: (go: () => void) => void) {
  const [, navigate] = useLocation()
  return (event: MouseEvent) => {
    event.preventDefault()
    const plans = event.currentTarget.getAttribute('href') ?? PLANS
    leave(() => navigate(plans, { replace: true }))
  }
}
