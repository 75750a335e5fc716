import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { PaymentProvider } from './provider.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { StripeBounds } from './stripe/stripe-client.ts'
import { stripeProvider } from './stripe/stripe-provider.ts'

export type ProviderDeps = {
  config: Config
  clock: Clock
  log: FastifyBaseLogger
  /** Other bounds of Stripe's calls than the usual ones */
  stripe?: Partial<StripeBounds> | undefined
  sandbox: Sandbox | undefined
}

/** The payment provider that the configuration names; undefined where payments are off. */
export function chooseProvider(deps: ProviderDeps): PaymentProvider | undefined {
  const { config, clock, log, stripe: bounds } = deps
  switch (config.billing) {
    case 'stripe':
      return config.stripe && stripeProvider({ settings: config.stripe, clock, log, bounds })
    case 'sandbox':
      return deps.sandbox?.provider
    case 'off':
      return undefined
  }
}
