import { describe, expect, it } from 'vitest'
import {
  beginHistory,
  type History,
  lookFieldsOf,
  ONE_CHANGE_MS,
  recordLook,
  STEPS_MAX,
  shownIn,
  takeStep,
} from '../../../src/client/codes/editor/look-history.ts'
import { valuesOf } from '../../../src/client/codes/editor/values.ts'
import { PLAIN_ARTWORK } from '../../../src/qr/artwork/artwork.ts'

const undo = (history: History) => takeStep(history, -1)
const redo = (history: History) => takeStep(history, 1)
const plain = lookFieldsOf(valuesOf(undefined))
const rounded = { ...plain, style: 'rounded' as const }
const dotted = { ...rounded, artwork: { ...PLAIN_ARTWORK, modules: 'dots' as const } }

describe("the history of a form's look", () => {
  const begun = recordLook(recordLook(beginHistory(plain), rounded, 0), dotted, 10 * ONE_CHANGE_MS)

  it('undoes changes one by one, and redoes them', () => {
    const back = undo(begun)
    expect(shownIn(back)).toEqual(rounded)
    expect(shownIn(undo(back))).toEqual(plain)
    expect(undo(undo(back))).toEqual(undo(back))
    expect(shownIn(redo(redo(undo(back))))).toEqual(dotted)
    expect(redo(begun)).toBe(begun)
  })

  it('forgets undone changes after another change', () => {
    const other = recordLook(undo(begun), { ...rounded, ecc: 'H' }, 1e6)
    expect(redo(other)).toBe(other)
    expect(shownIn(undo(other))).toEqual(rounded)
  })

  it('takes the steps of a slider for one change', () => {
    const at = (margin: number) => ({ ...plain, artwork: { ...PLAIN_ARTWORK, margin } })
    let history = recordLook(beginHistory(at(4)), at(5), 0)
    history = recordLook(history, at(6), 100)
    history = recordLook(history, at(7), 200)
    expect(shownIn(undo(history))).toEqual(at(4))
    const later = recordLook(history, at(8), 200 + ONE_CHANGE_MS)
    expect(shownIn(undo(later))).toEqual(at(7))
  })

  it('keeps two quick changes of different fields apart', () => {
    const history = recordLook(recordLook(beginHistory(plain), rounded, 0), dotted, 1)
    expect(shownIn(undo(history))).toEqual(rounded)
  })

  it('keeps a limited number of changes', () => {
    let history = beginHistory(plain)
    for (let step = 0; step < 3 * STEPS_MAX; step++) {
      const colour = `#${String(step).padStart(6, '0')}`
      history = recordLook(history, { ...plain, foregroundColor: colour }, step * 1e4)
    }
    expect(history.looks.length).toBe(STEPS_MAX + 1)
  })
})
