import type { User, WorkspaceEntry } from '#contract/accounts/accounts.ts'
import type { Role, WorkspaceRoute } from '#contract/accounts/roles.ts'
import { createStore } from './ui/store.ts'

/*
 * Where this page is: in the workspace that `?workspace=` in its address names, else in the person's own.
 * It stays there. To change the workspace is to load another page.
 */

const NAME = 'workspace'

const { search = '', origin = '' } = globalThis.location ?? {}

/** The workspace that the page's address names; null for the person's own. */
export const pageWorkspace = new URLSearchParams(search).get(NAME) || null

/** A person in the page's workspace, as the owner of a form that this tab keeps. */
export const ownerHere = (id: string) => (pageWorkspace ? `${id} ${pageWorkspace}` : id)

/** Calls about the person alone, or about none. Their addresses stay as they are: the server preloads some of them. */
const PERSONAL =
  /^\/api\/(auth|config|share|invitations|workspaces|account(?!\/(me|keys|apps|export)\b))\b/

/** The address of a call, with the page's workspace. What is read or changed is then there. */
export const inWorkspace = (path: string, id = pageWorkspace) =>
  PERSONAL.test(path) ? path : keepWorkspace(path, id)

/** An address of ours with the page's workspace. One that names a workspace stays, and so does one of another site. */
export function keepWorkspace(to: string, id = pageWorkspace): string {
  const isOurs = to.startsWith('/') || to.startsWith('?') || to.startsWith(`${origin}/`)
  if (id === null || !isOurs) return to
  const [before = '', ...hash] = to.split(/(?=#)/)
  const [path, query = ''] = before.split('?')
  if (new URLSearchParams(query).has(NAME)) return to
  return [`${path}?${query && `${query}&`}${NAME}=${encodeURIComponent(id)}`, ...hash].join('')
}

/** The address of a page in one of a person's workspaces. */
export const addressIn = ({ id, isOwn }: Pick<WorkspaceEntry, 'id' | 'isOwn'>, path: string) =>
  isOwn ? path : keepWorkspace(path, id)

/** The page's workspace, of someone who is in several; undefined for one who is only in their own. */
export const placeOf = ({ workspaces = [] }: Pick<User, 'workspaces'>, id = pageWorkspace) =>
  workspaces.find((one) => (id === null ? one.isOwn : one.id === id))

/** Whether the page is in the person's own workspace. */
export const isInOwn = (user: User) => placeOf(user)?.isOwn ?? true

type IsAllowed = (route: WorkspaceRoute) => boolean
const allowAll: IsAllowed = () => true

/** The person's permission for calls in the page's workspace */
export const permission = createStore(allowAll)

/** Whether the person may make a call in the page's workspace. Without it, what makes the call is left out. */
export const useMay = (route: WorkspaceRoute) => permission.use()(route)

let isOverPlan = false

/**
 * Notes what the person may do here; members of a workspace with more people than its plan has room for only look.
 * Most people own their workspace: they do not load the table of the roles.
 */
export async function noteRole(role: Role, isOver = isOverPlan): Promise<void> {
  isOverPlan = isOver
  if (role === 'owner') return permission.set(allowAll)
  const { mayCall, needsRoom, rightOf } = await import('#contract/accounts/roles.ts')
  permission.set((route) => mayCall(role, route) && !(isOver && needsRoom(rightOf(route))))
}

const keyOf = (personId: string) => `workspace-of-${personId}`

/** Keeps where a person is, for their next sign-in. A browser that may store nothing begins in their own. */
export function rememberPlace(id: string): void {
  try {
    if (pageWorkspace) localStorage.setItem(keyOf(id), pageWorkspace)
    else localStorage.removeItem(keyOf(id))
  } catch {}
}

/** Where a person was last, if they are still a member there; else their own. */
export function lastPlace({ id, workspaces = [] }: Pick<User, 'id' | 'workspaces'>): string {
  try {
    const last = localStorage.getItem(keyOf(id))
    const place = workspaces.find((one) => one.id === last)
    return place ? addressIn(place, '/') : '/'
  } catch {
    return '/'
  }
}
