import type { Tier } from '#contract/billing/plans.ts'
import type { CodeChange } from '#contract/codes/codes.ts'
import { colourPresets } from '#contract/pictures/pictures.ts'
import type { Scanned } from './visits.ts'

/** Every demo account has this password. */
export const PASSWORD = 'six copper tiles'

type Look = Pick<CodeChange, 'style' | 'foregroundColor' | 'backgroundColor' | 'compact'>

/** A code and its life; `made`, `paused` and `deleted` are days ago. */
export type DemoCode = {
  name: string
  url: string
  path?: string
  look?: Look
  made: number
  paused?: number
  deleted?: number
  scanned?: Scanned
}

export type DemoAccount = { name: string; email: string; tier: Tier; codes: DemoCode[] }

type Preset = (typeof colourPresets)[number]['name']

function preset(name: Preset, more: Look = {}): Look {
  const found = colourPresets.find((each) => each.name === name)
  return { foregroundColor: found?.foreground, backgroundColor: found?.background, ...more }
}

const rounded = { style: 'rounded' } as const
const example = (path: string) => `https://example.com/${path}`

/** The owner of a café that also roasts, with a paid plan. */
export const owner: DemoAccount = {
  name: 'Ada Marsh',
  email: 'ada@example.com',
  tier: 'unlimited',
  // biome-ignore format: a table, one code a line
  codes: [
    { name: 'Table menu', url: example('menu'), path: 'menu', made: 97, scanned: { when: 'meals', perDay: [94, 104] } },
    { name: 'Takeout menu', url: example('takeaway'), path: 'takeaway', look: preset('Sunset', rounded), made: 95, scanned: { when: 'evenings', perDay: [18, 58] } },
    { name: 'Wi-Fi guide', url: example('wifi'), path: 'wifi', look: preset('Ocean'), made: 96, scanned: { when: 'cafe', perDay: [43, 43] } },
    { name: 'Table tents: weekend brunch', url: example('brunch'), path: 'brunch', look: preset('Gold', rounded), made: 92, scanned: { when: 'weekends', perDay: [19, 23] } },
    { name: 'Feedback form', url: example('feedback'), path: 'feedback', look: preset('Purple', rounded), made: 90, scanned: { when: 'evenings', perDay: [6, 6] } },
    { name: 'Receipt: leave a review', url: example('reviews?from=receipt'), look: { compact: true }, made: 88, scanned: { when: 'meals', perDay: [4, 4] } },
    { name: 'Loyalty card', url: example('loyalty'), path: 'loyalty', look: preset('Forest', rounded), made: 86, scanned: { when: 'cafe', perDay: [4, 13] } },
    { name: 'Terrace menu', url: example('terrace'), path: 'terrace', look: preset('Forest'), made: 82, paused: 16, scanned: { when: 'meals', perDay: [20, 8] } },
    { name: 'Coffee bag: house blend', url: example('house-blend'), path: 'house-blend', look: { foregroundColor: '#6b3e26', backgroundColor: '#fdf6ec', ...rounded }, made: 80, scanned: { when: 'cafe', perDay: [2, 46] } },
    { name: 'Packaging insert: brew guide', url: example('brewing'), path: 'brew', look: preset('Ocean', { ...rounded, compact: true }), made: 74, scanned: { when: 'evenings', perDay: [1, 17] } },
    { name: 'Allergen list', url: example('allergens'), made: 72, scanned: { when: 'meals', perDay: [3, 3] } },
    { name: 'Delivery van', url: example('order'), look: { foregroundColor: '#0b6655', backgroundColor: '#eefaf6' }, made: 66, scanned: { when: 'cafe', perDay: [4, 4] } },
    { name: 'Gift cards', url: example('vouchers'), path: 'gift', look: preset('Rose', rounded), made: 57, scanned: { when: 'weekends', perDay: [4, 9] } },
    { name: 'Bar: cocktail list', url: example('cocktails'), look: preset('Dark', rounded), made: 55, scanned: { when: 'evenings', perDay: [9, 9] } },
    { name: 'Barista wanted: poster', url: example('jobs'), look: preset('Ocean', rounded), made: 26, paused: 4, scanned: { when: 'cafe', perDay: [8, 3] } },
    { name: 'Sticker: sunflower', url: example('stickers'), look: { foregroundColor: '#fef9c3', backgroundColor: '#FFFFFF', ...rounded }, made: 6 },
    { name: 'Carte en français', url: example('fr/menu'), path: 'carte', made: 2 },
    { name: 'Old lunch menu', url: example('lunch'), path: 'lunch', made: 93, deleted: 9, scanned: { when: 'meals', perDay: [14, 2] } },
  ],
}

/** A yoga teacher on the free plan: each code ends 14 days after it is first saved. */
export const teacher: DemoAccount = {
  name: 'Noor Haddad',
  email: 'noor@example.com',
  tier: 'free',
  // biome-ignore format: a table, one code a line
  codes: [
    { name: 'Open day: poster', url: example('open-day'), made: 20, scanned: { when: 'weekends', perDay: [4, 20] } },
    { name: 'Class timetable', url: example('timetable'), look: preset('Purple', rounded), made: 12, scanned: { when: 'evenings', perDay: [7, 7] } },
    { name: 'Trial lesson: flyer', url: example('trial-lesson'), look: preset('Ocean'), made: 1 },
  ],
}
