import { useQuery } from '@tanstack/react-query'
import type { CodeAnalytics, UserAnalytics } from '#contract/analytics/analytics.ts'
import { zoneQuery } from '../formats.ts'

export function useUserAnalytics(options: { enabled: boolean }) {
  return useQuery<UserAnalytics>({ queryKey: ['/api/analytics', `user${zoneQuery()}`], ...options })
}

export function useCodeAnalytics(id: string) {
  return useQuery<CodeAnalytics>({ queryKey: ['/api/analytics/qr-code', `${id}${zoneQuery()}`] })
}
