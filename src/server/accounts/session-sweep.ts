import type { Auth } from './auth.ts'

/**
 * Removes sessions and verifications that have ended, and with them the addresses they came from:
 * Better Auth removes one only when its cookie comes again. It judges by the system's clock, so
 * this does too.
 */
export async function sweepSessions(auth: Auth): Promise<void> {
  const { adapter } = await auth.$context
  const ended = [{ field: 'expiresAt', operator: 'lt' as const, value: new Date() }]
  for (const model of ['session', 'verification']) await adapter.deleteMany({ model, where: ended })
}
