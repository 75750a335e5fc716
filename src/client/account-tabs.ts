/**
 * Where the tabs of a browser tell each other who is signed in: an id, or null for nobody. Undefined in
 * a browser without such channels: there the server's refusal is the only word.
 */
export const openChannel = () =>
  'BroadcastChannel' in globalThis ? new BroadcastChannel('tessera-account') : undefined

/** For the page that only visitors see. */
export function tellSignedOut(): void {
  const tabs = openChannel()
  tabs?.postMessage(null)
  tabs?.close()
}
