import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { leaveOutcomes, type Outcome, suiteOf } from './outcomes.ts'

type Fault = { message: string; stack?: string; diff?: string }

/** Leaves the outcome of every test, of every file and group that broke outside its tests, and of the run. */
export default class OutcomesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Fault[]) {
    const outcomes = modules.flatMap(outcomesOf)
    if (unhandled.length > 0) outcomes.push(failed(null, 'outside of all tests', unhandled))
    leaveOutcomes(outcomes)
  }
}

function outcomesOf(module: TestModule): Outcome[] {
  const suite = suiteOf(module.moduleId)
  const file = module.relativeModuleId
  const nameOf = (of: TestCase | TestSuite) => `${file} › ${of.fullName}`
  const broken = [
    ...(module.errors().length > 0 ? [failed(suite, file, module.errors())] : []),
    ...[...module.children.allSuites()]
      .filter((group) => group.errors().length > 0)
      .map((group) => failed(suite, nameOf(group), group.errors())),
  ]
  const tests = [...module.children.allTests()].map((test): Outcome => {
    const result = test.result()
    const ms = test.diagnostic()?.duration ?? 0
    if (result.state === 'failed') return { ...failed(suite, nameOf(test), result.errors), ms }
    if (result.state === 'passed') return { suite, test: nameOf(test), status: 'passed', ms }
    const reason = result.state === 'skipped' ? result.note : undefined
    return { suite, test: nameOf(test), status: 'skipped', ...(reason && { message: reason }) }
  })
  return [...broken, ...tests]
}

function failed(suite: string | null, test: string, faults: readonly Fault[]): Outcome {
  const texts = faults.flatMap(({ message, stack, diff }) => [stack || message, diff ?? ''])
  return { suite, test, status: 'failed', message: texts.join('\n') }
}
