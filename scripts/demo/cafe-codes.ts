import type { AudienceName } from './audiences.ts'
import type { Calendar } from './calendar.ts'
import { type Course, changing, event, mailing, steady, together } from './courses.ts'
import type { Scanned } from './past.ts'
import { colours, type PlannedCode, preset } from './planned-code.ts'
import { rhythms } from './rhythms.ts'

const rounded = { style: 'rounded' } as const
const compact = { compact: true } as const

function scanned(
  course: Course,
  rhythm: keyof typeof rhythms,
  by: AudienceName = 'neighbours',
): Scanned {
  return { course, rhythm: rhythms[rhythm], by }
}

/** What the Copper Kettle has printed: a café that roasts, cooks, and lets a few rooms. */
export function cafeCodes(calendar: Calendar): PlannedCode[] {
  return [
    ...atTheTables(calendar),
    ...inTheShop(calendar),
    ...inTheTown(calendar),
    ...behindTheBar(calendar),
    ...notYetScanned(calendar),
    ...inTheBin(calendar),
  ]
}

function atTheTables(calendar: Calendar): PlannedCode[] {
  const ago = (days: number) => calendar.ago(days)
  return [
    {
      name: 'Table menu',
      url: 'https://example.com/menu',
      path: 'menu',
      created: ago(97),
      scanned: scanned(steady(98), 'mealtimes'),
    },
    {
      name: 'Wi-Fi guide',
      url: 'https://example.com/wifi',
      path: 'wifi',
      look: preset('Ocean'),
      created: ago(96),
      scanned: scanned(steady(43), 'cafe'),
    },
    {
      name: 'Table tents: weekend brunch',
      url: 'https://example.com/menu/brunch',
      path: 'brunch',
      look: preset('Gold', rounded),
      created: ago(92),
      scanned: scanned(steady(21), 'brunch'),
    },
    {
      name: 'Feedback form',
      url: 'https://example.org/forms/copper-kettle-feedback',
      path: 'feedback',
      look: preset('Purple', rounded),
      created: ago(90),
      scanned: scanned(steady(6), 'afterMeals'),
    },
    {
      name: 'Receipt: leave a review',
      url: 'https://example.org/reviews/copper-kettle?from=receipt',
      look: compact,
      created: ago(88),
      scanned: scanned(steady(4), 'afterMeals'),
    },
    {
      name: 'Loyalty card',
      url: 'https://example.com/loyalty',
      path: 'loyalty',
      look: preset('Forest', rounded),
      created: ago(86),
      scanned: scanned(changing([ago(86), 4], [ago(0), 13]), 'cafe'),
    },
    {
      name: 'Allergen list',
      url: 'https://example.com/menu/allergens',
      created: ago(72),
      scanned: scanned(steady(3), 'mealtimes'),
    },
    {
      name: 'Terrace menu',
      url: 'https://example.com/menu/terrace',
      path: 'terrace',
      look: preset('Forest'),
      created: ago(82),
      paused: ago(16),
      scanned: scanned(changing([ago(60), 20], [ago(18), 8]), 'mealtimes'),
    },
    {
      name: 'Guest rooms: house guide',
      url: 'https://example.com/rooms/guide',
      path: 'rooms',
      look: preset('Purple'),
      created: ago(60),
      scanned: scanned(steady(5), 'guests', 'travellers'),
    },
  ]
}

function inTheShop(calendar: Calendar): PlannedCode[] {
  const ago = (days: number) => calendar.ago(days)
  return [
    {
      name: 'Takeaway menu',
      url: 'https://example.com/menu/takeaway',
      formerPath: 'to-go',
      path: 'takeaway',
      look: preset('Sunset', rounded),
      created: ago(95),
      scanned: scanned(changing([ago(95), 18], [ago(0), 58]), 'evenings'),
    },
    {
      name: 'Coffee bag: house blend',
      url: 'https://example.com/shop/house-blend',
      path: 'house-blend',
      look: colours('#6b3e26', '#fdf6ec', rounded),
      created: ago(80),
      scanned: scanned(changing([ago(76), 2], [ago(0), 46]), 'home', 'customers'),
    },
    {
      name: 'Coffee bag: single origin',
      url: 'https://example.com/shop/single-origin',
      look: colours('#1f2937', '#fef3c7', rounded),
      created: ago(78),
      scanned: scanned(changing([ago(70), 1], [ago(0), 11]), 'home', 'customers'),
    },
    {
      name: 'Packaging insert: brew guide',
      url: 'https://example.com/guides/brewing',
      path: 'brew',
      look: preset('Ocean', { ...rounded, ...compact }),
      created: ago(74),
      scanned: scanned(changing([ago(70), 1], [ago(0), 17]), 'home', 'customers'),
    },
    {
      name: 'Gift vouchers',
      url: 'https://example.com/shop/vouchers',
      path: 'gift',
      look: preset('Rose', rounded),
      created: ago(57),
      scanned: scanned(together(steady(4), mailing([ago(38), ago(10)], 26)), 'home', 'customers'),
    },
    {
      name: 'Returns and recycling',
      url: 'https://example.com/shop/recycling',
      look: colours('#0f766e', '#f0fdfa', compact),
      created: ago(13),
      scanned: scanned(changing([ago(13), 1], [ago(0), 5]), 'home', 'customers'),
    },
    {
      name: 'Market stall price list',
      url: 'https://example.com/market',
      look: preset('Sunset'),
      created: ago(40),
      scanned: scanned(steady(4.5), 'market'),
    },
  ]
}

function inTheTown(calendar: Calendar): PlannedCode[] {
  const ago = (days: number) => calendar.ago(days)
  const fair = calendar.lastly('Tue', 44)
  const party = calendar.lastly('Fri', 36)
  const supper = calendar.lastly('Sat', 13)
  const jazz = calendar.lastly('Sat', -8)
  return [
    {
      name: 'Trade fair stand',
      url: 'https://example.com/wholesale',
      path: 'fair',
      look: preset('Rose'),
      created: fair - 20,
      paused: fair + 6,
      scanned: scanned(event(fair, 78, 3), 'office', 'customers'),
    },
    {
      name: 'Terrace party: flyer',
      url: 'https://example.org/events/terrace-party',
      look: colours('#d9662b', '#fff7ed', rounded),
      created: party - 16,
      ended: party + 2,
      scanned: scanned(event(party, 48), 'street'),
    },
    {
      name: 'Supper club: poster',
      url: 'https://example.org/events/supper-club',
      path: 'supper-club',
      look: colours('#7a2e3a', '#fdf2f2', rounded),
      created: supper - 26,
      ended: supper + 3,
      scanned: scanned(event(supper, 88), 'street'),
    },
    {
      name: 'Jazz night: poster',
      url: 'https://example.org/events/jazz-night',
      path: 'jazz',
      look: colours('#312e81', '#eef2ff', rounded),
      created: ago(19),
      scanned: scanned(event(jazz, 85), 'street'),
    },
    {
      name: 'Cooking class: flyer',
      url: 'https://example.com/classes',
      look: preset('Gold'),
      created: ago(47),
      scanned: scanned(mailing([ago(45), calendar.lastly('Wed', 19)], 60), 'home', 'readers'),
    },
    {
      name: 'Bus stop: lunch deal',
      url: 'https://example.com/menu/lunch-deal',
      created: ago(48),
      scanned: scanned(changing([ago(47), 24], [ago(5), 4]), 'street'),
    },
    {
      name: 'Window: opening hours',
      url: 'https://example.com/hours',
      created: ago(68),
      scanned: scanned(steady(4), 'street'),
    },
    {
      name: 'Delivery van',
      url: 'https://example.com/order',
      look: colours('#0b6655', '#eefaf6'),
      created: ago(66),
      scanned: scanned(steady(4), 'street'),
    },
  ]
}

function behindTheBar(calendar: Calendar): PlannedCode[] {
  const ago = (days: number) => calendar.ago(days)
  return [
    {
      name: 'Business card: Ada',
      url: 'https://example.com/team/ada-marsh',
      path: 'ada',
      look: colours('#0b6655', '#eefaf6', rounded),
      created: ago(85),
      scanned: scanned(steady(2), 'office', 'readers'),
    },
    {
      name: 'Bar: cocktail list',
      url: 'https://example.com/menu/cocktails',
      look: preset('Dark', rounded),
      created: ago(55),
      scanned: scanned(steady(9), 'nights'),
    },
    {
      name: 'Newsletter sign-up',
      url: 'https://example.com/newsletter',
      path: 'news',
      created: ago(52),
      scanned: scanned(
        together(steady(4), mailing([calendar.lastly('Thu', 3)], 34)),
        'cafe',
        'readers',
      ),
    },
    {
      name: 'Staff handbook',
      url: 'https://example.com/staff/handbook',
      created: ago(31),
      scanned: scanned(steady(1.4), 'office'),
    },
    {
      name: 'Barista wanted: poster',
      url: 'https://example.com/jobs/barista',
      look: preset('Ocean', rounded),
      created: ago(26),
      paused: ago(4),
      scanned: scanned(steady(6), 'street'),
    },
    {
      name: 'Follow us: counter sign',
      url: 'https://example.org/copper-kettle',
      path: 'follow',
      look: preset('Rose', rounded),
      created: ago(22),
      scanned: scanned(steady(6), 'cafe'),
    },
  ]
}

function notYetScanned(calendar: Calendar): PlannedCode[] {
  const ago = (days: number) => calendar.ago(days)
  return [
    {
      name: 'Sticker: sunflower',
      url: 'https://example.com/shop/stickers',
      look: colours('#fef08a', '#FFFFFF', rounded),
      created: ago(6),
    },
    {
      name: 'Tote bag',
      url: 'https://example.com/shop/tote-bag',
      look: colours('#6b3e26', '#f5efe6'),
      created: ago(4),
    },
    {
      name: 'Carte en français',
      url: 'https://example.com/fr/menu',
      path: 'carte',
      created: ago(2),
    },
    {
      name: 'Roastery tour: hand-out',
      url: 'https://example.com/tours/roastery',
      look: preset('Forest', rounded),
      created: ago(1),
    },
  ]
}

function inTheBin(calendar: Calendar): PlannedCode[] {
  const ago = (days: number) => calendar.ago(days)
  return [
    {
      name: 'Old lunch menu',
      url: 'https://example.com/menu/lunch',
      path: 'lunch',
      created: ago(93),
      deleted: ago(9),
      scanned: scanned(changing([ago(93), 14], [ago(9), 2]), 'mealtimes'),
    },
    {
      name: 'Two for one: flyer',
      url: 'https://example.com/offers/two-for-one',
      look: preset('Sunset', rounded),
      created: ago(33),
      deleted: ago(17),
      scanned: scanned(mailing([ago(30)], 40), 'street'),
    },
    {
      name: 'Test print',
      url: 'https://example.com/test',
      created: ago(25),
      deleted: ago(24),
    },
  ]
}
