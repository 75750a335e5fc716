import { describe, expect, test } from 'vitest'
import { averyNames, averySheets } from '#contract/labels/avery-sheets.ts'
import { captionKinds, layOutLabel, sheetProblem } from '#contract/labels/label-layout.ts'
import { gridSheet, labelAt, ownSheet, pagesOf, perPage } from '#contract/labels/label-sheets.ts'
import { PRINT_SIZE } from '#contract/pictures/pictures.ts'
import { linkLines, nameLines } from '#qr/formats/helvetica.ts'

describe.each(averyNames)('Avery %s', (name) => {
  const { sheet } = averySheets[name]
  const last = labelAt(sheet, perPage(sheet) - 1)

  test('has equal margins at both sides, and its labels do not lie on each other', () => {
    const right = sheet.pageWidth - last.x - sheet.labelWidth
    const bottom = sheet.pageHeight - last.y - sheet.labelHeight
    expect(Math.abs(right - sheet.left)).toBeLessThan(0.05)
    // L4732 ends 0.6 mm higher than it begins.
    expect(Math.abs(bottom - sheet.top)).toBeLessThan(0.7)
    expect(sheet.pitchX).toBeGreaterThanOrEqual(sheet.labelWidth)
    expect(sheet.pitchY).toBeGreaterThanOrEqual(sheet.labelHeight - 1e-9)
  })

  test.each(captionKinds)('has codes large enough to be scanned, with %s inside', (caption) => {
    expect(sheetProblem(sheet, caption)).toBeNull()
    const { code, name, link } = layOutLabel(sheet, caption)
    expect(code.edge).toBeGreaterThanOrEqual(PRINT_SIZE.min)
    const boxes = [{ ...code, width: code.edge, height: code.edge }, name, link]
    for (const box of boxes) {
      if (!box) continue
      expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(2 - 1e-9)
      expect(box.x + box.width).toBeLessThanOrEqual(sheet.labelWidth - 2 + 1e-9)
      expect(box.y + box.height).toBeLessThanOrEqual(sheet.labelHeight - 2 + 1e-9)
    }
  })
})

test('a wide label has its words beside the code, which is larger so; a square one below', () => {
  const wide = layOutLabel(averySheets['5160'].sheet, 'name-and-link')
  expect(wide.name?.x).toBeGreaterThan(wide.code.x + wide.code.edge)
  expect(wide.code.edge).toBeCloseTo(21.4, 1)
  const square = layOutLabel(averySheets['22805'].sheet, 'name-and-link')
  expect(square.name?.y).toBeCloseTo(square.code.y + square.code.edge, 6)
})

test('plain paper in equal parts stays as it was', () => {
  const sheet = gridSheet({ paper: 'a4', columns: 4, rows: 5 })
  expect(labelAt(sheet, 5)).toEqual({ x: 57.5, y: 10 + 277 / 5 })
  const { code, name, link } = layOutLabel(sheet, 'name-and-link')
  expect(code.edge).toBeCloseTo(42.9, 6)
  expect(code.x).toBeCloseTo(2.3, 6)
  expect(code.y).toBeCloseTo(2, 6)
  expect(name).toMatchObject({ x: 2, width: 43.5, height: 5 })
  expect(link?.y).toBeCloseTo(49.9, 6)
})

test('a sheet that was begun takes fewer labels, the next ones all', () => {
  const { sheet } = averySheets.L7160
  expect([pagesOf(sheet, 21), pagesOf(sheet, 21, 2), pagesOf(sheet, 22, 21)]).toEqual([1, 2, 2])
})

test('own sizes stand where they were measured', () => {
  const sheet = ownSheet({
    pageWidth: 210,
    pageHeight: 297,
    columns: 3,
    rows: 4,
    labelWidth: 50,
    labelHeight: 40,
    marginLeft: 12,
    marginTop: 8,
    gapX: 2.5,
    gapY: 0,
    isRound: false,
    cutLines: true,
  })
  expect(labelAt(sheet, 4)).toEqual({ x: 64.5, y: 48 })
  expect(sheetProblem(sheet, 'none')).toBeNull()
})

test('a long name is broken so that both lines are short, a long link after its last slash', () => {
  const narrow = { width: 70, size: 11, least: 4.5 }
  expect(nameLines('Bar', narrow)).toEqual(['Bar'])
  expect(nameLines('Terrace in the garden', narrow)).toEqual(['Terrace in', 'the garden'])
  expect(nameLines('Reception-and-cloakroom', narrow)).toEqual(['Reception-and-cloakroom'])
  expect(linkLines('example.com/qr/7xk3mfw', narrow)).toEqual(['example.com/qr/7xk3mfw'])
  expect(linkLines('links.example.com/qr/7xk3mfw', { ...narrow, width: 50 })).toEqual([
    'links.example.com/qr/',
    '7xk3mfw',
  ])
})
