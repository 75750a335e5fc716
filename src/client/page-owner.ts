import { openChannel } from './account-tabs.ts'
import { createStore } from './ui/store.ts'

/**
 * A browser has one session for all its tabs. So each page remembers whom it was drawn for, names
 * them in every call, and the server refuses a call of another user's page: it compares them with the
 * session of that very call, which no check in the page could do. The tabs also tell each other who
 * is signed in, so that a page knows before it calls.
 */
export type SignedInNow = 'owner' | 'signed-out' | (typeof blocks)[number]

/** Refusals after which a page can do nothing more: a dialog then lies over all of it. */
export const blocks = ['other_account', 'workspace_not_found', 'second_step_needed'] as const

let owner: string | undefined
const now = createStore<SignedInNow>('owner')
let channel: BroadcastChannel | undefined

/** The user whom this page was drawn for; undefined until it knows. */
export const pageOwner = () => owner

/**
 * Makes the page the user's once it has read who is signed in, and informs the other tabs. The live demo
 * ignores a sign-out.
 */
export function drawnFor(userId: string, isDemo = false): void {
  if (owner !== undefined) return
  owner = userId
  channel = openChannel()
  if (!channel) return
  channel.onmessage = ({ data }: MessageEvent<string | null>) => {
    if (data === owner) now.set('owner')
    else if (data !== null) now.set('other_account')
    else if (!isDemo) now.set('signed-out')
  }
  channel.postMessage(userId)
}

/** Notes why the server refuses all calls of this page. */
export const notePage = (over: SignedInNow) => now.set(over)

/** The signed-in user compared with the page's owner and its workspace, as far as this page has heard. */
export const useSignedInNow = now.use
