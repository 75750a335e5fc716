/**
 * Opens the channel on which a browser's tabs share who is signed in: an id, or null after a sign-out.
 * Undefined in a browser without such channels: there a page learns it only by the server's refusal.
 */
export const openChannel = () =>
  'BroadcastChannel' in globalThis ? new BroadcastChannel('tessera-account') : undefined

/** For the page that only visitors see. */
export function tellSignedOut(): void {
  const tabs = openChannel()
  tabs?.postMessage(null)
  tabs?.close()
}
