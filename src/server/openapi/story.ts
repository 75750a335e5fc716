import type { QrCode } from '#contract/codes.ts'
import { ORIGIN_PLACEHOLDER } from '#contract/placeholders.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'

/*
 * The examples are one story: a café makes a code for its menu, prints it and looks at its scans. A test
 * makes each call of it, in their order, and compares the answers. Parts that differ from server to
 * server, such as ids, stand here as they could be.
 */

export const MENU = '3f6c1d0e-8a4b-4c2e-9d57-6b1f0a7e2c94'
export const POSTER = 'b82e57a1-0c3d-4f96-8e24-d5719ac3f06b'
export const DOOR = 'e5d90b34-71f2-4a8c-b6e0-2c48f7d1593a'
export const TABLE = '0b6e94d2-83af-4c71-b5d8-e17f2a60c39b'
export const DRAFT = '9a07c4f8-25be-4d13-a1c6-f03e8b5d7247'
export const SPRING = '5c81e2b7-f94a-4036-87dd-1ab02e6c9f35'
export const HOUSE_STYLE = 'd14f6a90-3be7-4c58-92a5-7e60cb8f21d3'
export const LOGO = 'mJ3vT0cZ8yqLh5WnRb1xKdQe7uFa2sGp'
export const DOMAIN = 'c2b95d14-7f08-4e6a-a3d1-90e47b6f25c8'
export const SHARE = '7be2d05c-46a1-4f3e-b9c8-08d3f5a6e712'

/** The day of the story */
export const TODAY = '2026-03-05'
const MADE_AT = `${TODAY}T09:00:00.000Z`

type Story = Partial<QrCode> & Pick<QrCode, 'id' | 'name' | 'url'>

/** A code of the story, as it is when it has just been made. */
export const code = ({ id, name, url, ...more }: Story): QrCode => ({
  id,
  name,
  url,
  link: `${ORIGIN_PLACEHOLDER}/qr/${more.vanityUrl ?? 'k7m2xqd'}`,
  domain: null,
  vanityUrl: null,
  style: DEFAULT_LOOK.style,
  foregroundColor: DEFAULT_LOOK.foreground,
  backgroundColor: DEFAULT_LOOK.background,
  ecc: DEFAULT_LOOK.ecc,
  compact: DEFAULT_LOOK.compact,
  artwork: null,
  pictureVersion: 'q7Xw2LrT9aZkVb3N',
  legibility: null,
  tags: [],
  shortCode: 'k7m2xqd',
  isActive: true,
  expiresAt: null,
  createdAt: MADE_AT,
  externalId: null,
  passQuery: false,
  version: 1,
  ...more,
})
