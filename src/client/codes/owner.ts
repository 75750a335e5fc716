import { createContext, useContext } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import type { Tier } from '#contract/billing/plans.ts'

/** The user whose codes are shown, the origin of links without a domain, and whether the server knows regions. */
export type Owner = {
  user: User
  tier: Tier
  isDemo: boolean
  hostUrl: string
  hasRegions: boolean
}

export const OwnerContext = createContext<Owner | null>(null)

/** The owner of all that is drawn inside the dashboard. */
export function useOwner(): Owner {
  const owner = useContext(OwnerContext)
  if (!owner) throw new Error('There is no owner around this part')
  return owner
}
