import { plainText, z } from '#contract/zod.ts'

const APP_NAME_MAX = 80
const REDIRECTS_MAX = 10
const ADDRESS_MAX = 500
/**
 * Schemes that a browser or the system opens itself, unlike those of programs of their own: an answer would start
 * a tool with it, or be lost. oidc-provider refuses those of pages and files.
 */
const REFUSED =
  /^(ms-.*|.*-ms|search|shell|res|hcp|help|(android-app|intent|market|itms.*)|(s?ftps?|wss?|ssh|telnet|rlogin|smb|nfs|ldaps?|dav|imap|pop|nntp|news)|(mailto|tel|callto|sms|smsto|mms|facetime.*|sips?|xmpp|irc6?|geo|webcal|feed|magnet)|(view-source|jar|filesystem|mhtml|about|chrome.*|edge|moz-.*|resource|vbscript|cid|urn)):$/
const isOfApp = (address: string) => !REFUSED.test(URL.parse(address)?.protocol ?? '')

/** The parts of an app's own description that we read (RFC 7591 §2). All else is the same for every app. */
const described = z.object({
  redirect_uris: z.array(z.string().max(ADDRESS_MAX).refine(isOfApp)).max(REDIRECTS_MAX),
  client_name: plainText.min(1).max(APP_NAME_MAX).optional().catch(undefined),
})

/**
 * An app's description as the authorization server takes it: an app keeps no secret with us, and PKCE protects
 * its codes. One that gets answers on the device is native, so that any port of it does (RFC 8252 §7.3). A
 * description that we cannot read has no address, which the authorization server refuses.
 * @param json as the app wrote it
 */
export function clientMetadata(json: string) {
  const read = described.catch({ redirect_uris: [] }).parse(parsed(json))
  const isWeb = read.redirect_uris.every((address) => address.startsWith('https://'))
  return {
    ...read,
    application_type: isWeb ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Where an app gets its answers: an origin, or the address of a program, such as `cursor://name/callback`. */
export function placeOf(address: string): string {
  const { origin, protocol, href } = new URL(address)
  return /^https?:$/.test(protocol) ? origin : href.replace(/\?.*/, '')
}

/** The site that describes an app whose id is an address; null for one that has registered itself. */
export const siteOfClient = (clientId: string) => URL.parse(clientId)?.host ?? null
