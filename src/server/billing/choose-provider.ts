import type { Config } from '../config.ts'
import type { PaymentProvider } from './provider.ts'

export type ProviderDeps = { config: Config }

/** The payment provider that the configuration names; undefined where payments are off. */
export function chooseProvider({ config }: ProviderDeps): PaymentProvider | undefined {
  switch (config.billing) {
    default:
      return undefined
  }
}
