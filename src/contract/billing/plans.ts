/*
 * Values only: the landing page reads the catalogue and does not load Zod for it.
 */

/** The tier ladder, lowest first. */
export const tiers = ['free', 'starter', 'professional', 'unlimited'] as const
export type Tier = (typeof tiers)[number]

/** The plans that a user can buy. */
export const paidTiers = ['starter', 'professional', 'unlimited'] as const satisfies Tier[]
export type PaidTier = (typeof paidTiers)[number]

export const billingPeriods = ['monthly', 'annual'] as const
export type BillingPeriod = (typeof billingPeriods)[number]

/** `codeLimit` and `qrCodeLimit` of a plan without a limit. */
export const UNLIMITED = -1

/** Days until a code first saved on the free tier stops working. */
export const FREE_EXPIRY_DAYS = 14

/** The rules of a plan. `codeLimit` is a count, or UNLIMITED; `expiryDays` is null if codes never expire. */
export type PlanRules = {
  codeLimit: number
  customPaths: boolean
  /** Shapes, logo and frames */
  hasArtwork: boolean
  /** Rules that lead some visitors elsewhere */
  hasRules: boolean
  /** API keys */
  hasApi: boolean
  /** Domains of one's own */
  domains: number
  /** Members of a workspace, its owner among them */
  people: number
  expiryDays: number | null
}

/**
 * One entry of the catalogue. Prices are US dollars per month, by how the plan is billed.
 * The specification's feature texts differ from screen to screen, so each screen has its own list.
 */
export type Plan = PlanRules & {
  tier: Tier
  name: string
  landingName: string
  description: string
  monthlyPrice: number
  annualPrice: number
  /** Days that an account's first plan is free, with Stripe only; 0 for none */
  trialDays: number
  popular: boolean
  features: { landing: string[]; profile: string[]; subscription: string[] }
}

/** A limit that a plan lists among its features. It does not speak for the plan. */
export const FREE_EXPIRY_FEATURE = `${FREE_EXPIRY_DAYS}-day expiration`

const free: Plan = {
  tier: 'free',
  name: 'Free',
  landingName: 'Free',
  description: 'For trying things out',
  monthlyPrice: 0,
  annualPrice: 0,
  trialDays: 0,
  popular: false,
  codeLimit: 3,
  customPaths: false,
  hasArtwork: false,
  hasRules: false,
  hasApi: false,
  domains: 0,
  people: 1,
  expiryDays: FREE_EXPIRY_DAYS,
  features: {
    landing: ['3 QR codes', FREE_EXPIRY_FEATURE, 'Basic analytics', 'PNG download'],
    profile: ['3 QR codes', FREE_EXPIRY_FEATURE, 'Basic analytics', 'Multiple download formats'],
    subscription: ['3 QR codes', FREE_EXPIRY_FEATURE, 'Basic analytics', 'PNG download'],
  },
}

const paid = ['No expiration', 'Advanced analytics', 'All export formats', 'Custom styles']

const starter: Plan = {
  tier: 'starter',
  name: 'Starter',
  landingName: 'Starter',
  description: 'For a few codes that need to last',
  monthlyPrice: 4.99,
  annualPrice: 3.99,
  trialDays: 0,
  popular: false,
  codeLimit: 3,
  customPaths: false,
  hasArtwork: true,
  hasRules: false,
  hasApi: false,
  domains: 0,
  people: 1,
  expiryDays: null,
  features: {
    landing: ['3 QR codes', ...paid],
    profile: ['3 QR codes', 'No expiration', 'Advanced analytics', 'Multiple download formats'],
    subscription: ['3 QR codes', ...paid],
  },
}

const professional: Plan = {
  tier: 'professional',
  name: 'Professional',
  landingName: 'Professional',
  description: 'For growing businesses',
  monthlyPrice: 8.49,
  annualPrice: 6.99,
  trialDays: 0,
  popular: true,
  codeLimit: 10,
  customPaths: true,
  hasArtwork: true,
  hasRules: true,
  hasApi: false,
  domains: 1,
  people: 3,
  expiryDays: null,
  features: {
    landing: ['10 QR codes', ...paid, 'Vanity URLs', 'Priority support'],
    profile: [
      '10 QR codes',
      'No expiration',
      'Advanced analytics',
      'Multiple download formats',
      'Vanity URLs',
    ],
    subscription: ['10 QR codes', ...paid, 'Vanity URLs', 'Priority support'],
  },
}

const unlimited: Plan = {
  tier: 'unlimited',
  name: 'Unlimited',
  landingName: 'Enterprise',
  description: 'For everything you print',
  monthlyPrice: 13.99,
  annualPrice: 11.99,
  trialDays: 0,
  popular: false,
  codeLimit: UNLIMITED,
  customPaths: true,
  hasArtwork: true,
  hasRules: true,
  hasApi: true,
  domains: 10,
  people: 25,
  expiryDays: null,
  features: {
    landing: ['Unlimited QR codes', ...paid, 'Vanity URLs', 'Priority support', 'API access'],
    profile: [
      'Unlimited QR codes',
      'No expiration',
      'Advanced analytics',
      'Multiple download formats',
      'Vanity URLs',
      'Priority support',
      'Advanced customization',
    ],
    subscription: ['Unlimited QR codes', ...paid, 'Vanity URLs', 'Priority support'],
  },
}

/** The one catalogue: landing page, profile, subscription screen and server all read it. */
export const plans: Record<Tier, Plan> = { free, starter, professional, unlimited }

/** "1 person", "25 people" */
export const peopleText = (count: number) => (count === 1 ? '1 person' : `${count} people`)

/** More parts of a plan, in a list of their own: the specification says word for word what its features are. */
export function alsoIncluded({
  tier,
  people,
  hasArtwork,
  hasRules,
  domains,
  hasApi,
}: Plan): string[] {
  return [
    peopleText(people),
    ...(hasArtwork ? ['Logos and frames'] : []),
    ...(hasRules ? ['Rules'] : []),
    ...(tier === 'free' ? [] : ['Share links']),
    ...(domains > 0 ? [domains === 1 ? 'Your own domain' : `${domains} domains of your own`] : []),
    ...(hasApi ? ['Webhooks', 'AI agents'] : []),
  ]
}

/** Price per month in US dollars, by how the plan is billed. */
export function pricePerMonth(plan: Plan, billing: BillingPeriod): number {
  return billing === 'annual' ? plan.annualPrice : plan.monthlyPrice
}

/** The amount of one charge in cents: one month, or twelve times the annual plan's price per month. */
export function chargeInCents(plan: Plan, billing: BillingPeriod): number {
  const monthlyCents = Math.round(pricePerMonth(plan, billing) * 100)
  return billing === 'annual' ? 12 * monthlyCents : monthlyCents
}

/** The name of one of a plan's prices. */
export function priceKey(tier: Tier, billing: BillingPeriod): string {
  return `${tier}_${billing}`
}
