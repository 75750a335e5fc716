import { relative } from 'node:path'
import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter'
import { leaveOutcomes, type Outcome } from './outcomes.ts'

const SUITE = 'browser'

/** Leaves the outcome of every browser test, and of what broke outside of them. */
export default class OutcomesReporter implements Reporter {
  #all: Suite | undefined
  readonly #outside: TestError[] = []

  onBegin(_config: unknown, all: Suite) {
    this.#all = all
  }

  onError(error: TestError) {
    this.#outside.push(error)
  }

  onEnd() {
    const outcomes = (this.#all?.allTests() ?? []).map(outcomeOf)
    for (const error of this.#outside) {
      const message = textOf(error)
      outcomes.push({ suite: SUITE, test: 'outside of all tests', status: 'failed', message })
    }
    leaveOutcomes(outcomes)
  }

  printsToStdio() {
    return false
  }
}

function outcomeOf(test: TestCase): Outcome {
  const { file, line } = test.location
  const name = `${relative('.', file)}:${line} › ${test.title}`
  const outcome = test.outcome()
  const ms = test.results.reduce((sum, { duration }) => sum + duration, 0)
  if (outcome === 'expected') return { suite: SUITE, test: name, status: 'passed', ms }
  if (outcome === 'skipped') return { suite: SUITE, test: name, status: 'skipped' }
  // A test that passes only when tried again has failed.
  const message = test.results.flatMap(({ errors }) => errors.map(textOf)).join('\n')
  return { suite: SUITE, test: name, status: 'failed', message, ms }
}

function textOf({ stack, message, value }: TestError): string {
  return stack ?? message ?? value ?? ''
}
