import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { codeParams } from '#contract/codes.ts'
import { checkedPrint, printProofs, printReading } from '#contract/pictures/scan-checks.ts'
import { ownCode } from '../codes-store.ts'
import type { CodeDeps } from '../types.ts'
import { checkPrint, proofsOf } from './print-proofs.ts'

/** Checks of printed codes by photo. The photo stays in the browser: only the reading comes here. */
export function proofRoutes(plain: FastifyInstance, deps: Pick<CodeDeps, 'db' | 'clock'>) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  app.get(
    '/api/qr-codes/:id/print-proofs',
    { schema: { params: codeParams, response: { 200: printProofs } } },
    async ({ userId, params }) => {
      const { id } = await ownCode(deps.db, userId, params.id)
      return (await proofsOf(deps.db, [id])).get(id) ?? []
    },
  )

  app.post(
    '/api/qr-codes/:id/print-proofs',
    { schema: { params: codeParams, body: printReading, response: { 201: checkedPrint } } },
    async ({ userId, params, body }, reply) =>
      reply.code(201).send(await checkPrint(deps, userId, params.id, body)),
  )
}
