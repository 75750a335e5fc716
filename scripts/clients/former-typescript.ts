import { registerHooks } from 'node:module'

/*
 * Generators write their code by the programming interface of TypeScript, which the compiler in Go does
 * not have any more. They get that of the compiler before it.
 */

const FORMER = `import { ts } from '@ts-morph/common'; export default ts`

/** Runs `work` while an import of `typescript` is the former compiler. */
export async function withFormerTypescript<Result>(work: () => Promise<Result>): Promise<Result> {
  const url = `${import.meta.url}?former`
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' ? { url, shortCircuit: true } : next(name, context),
    load: (address, context, next) =>
      address === url
        ? { format: 'module', source: FORMER, shortCircuit: true }
        : next(address, context),
  })
  try {
    return await work()
  } finally {
    hooks.deregister()
  }
}
