/** Work that a process does soon after each call, one run at a time: calls during a run bring one more run. */
export class RepeatableTask {
  readonly #work: () => Promise<void>
  #run: Promise<void> | undefined
  #timer: { at: number; timeout: NodeJS.Timeout } | undefined
  #isAsked = false
  #isStopped = false

  /** @param work never rejects: it logs its own errors */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Runs the work now, or once more after the run under way. Call it after the commit; it never throws. */
  soon() {
    this.#isAsked = true
    if (this.#run || this.#isStopped) return
    this.#run = this.#repeat().finally(() => {
      this.#run = undefined
      if (this.#isAsked) this.soon()
    })
  }

  /** Runs the work after `ms`, unless an earlier run is planned. The timer does not keep the process alive. */
  after(ms: number) {
    const at = performance.now() + ms
    if (this.#isStopped || (this.#timer && this.#timer.at <= at)) return
    clearTimeout(this.#timer?.timeout)
    const run = () => {
      this.#timer = undefined
      this.soon()
    }
    this.#timer = { at, timeout: setTimeout(run, ms).unref() }
  }

  /** Resolves when no run is under way. */
  async idle() {
    while (this.#run) await this.#run
  }

  /** Ends after the run under way, which can look at `isStopped` and leave the rest to the next process. */
  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer?.timeout)
    await this.idle()
  }

  async #repeat() {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false
      await this.#work()
    }
  }
}
