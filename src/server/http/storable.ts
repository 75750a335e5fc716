import type { FastifyRequest } from 'fastify'
import { invalidInput } from './errors.ts'

/**
 * Refuses NUL in any input that passed its schema: PostgreSQL cannot store it (SQLSTATE 22021), and
 * both engines answer alike. A hook for after validation, when inputs are flat.
 * @throws AppError invalid_input
 */
export async function refuseNul(request: FastifyRequest) {
  for (const input of [request.query, request.body]) {
    for (const [path, value] of Object.entries(input ?? {})) {
      if (typeof value !== 'string' || !value.includes('\0')) continue
      throw invalidInput([{ path, message: 'Contains characters that cannot be used' }])
    }
  }
}
