import { newLook } from '#contract/codes/codes.ts'
import { keptStyle, newStyle } from '#contract/pictures/styles.ts'
import { wordsOf, z } from '#contract/zod.ts'
import { type Tool, tool } from './tool.ts'

/** A look whose misspelled fields are refused. */
export const look = z.strictObject(newLook.shape)

export const designTools: Tool[] = [
  tool({
    name: 'list_designs',
    title: 'List designs',
    call: 'GET /api/looks',
    description:
      'Lists the designs that the account has saved. New QR codes start with the default one.',
    list: 'designs',
    output: keptStyle,
  }),
  tool({
    name: 'save_design',
    title: 'Save a design',
    call: 'POST /api/looks',
    description:
      'Saves a design under a name, for use on other QR codes. For the design of a code, send what read_code has.',
    input: {
      name: newStyle.shape.name,
      look: look.describe(wordsOf(newStyle.shape.look)),
    },
    output: keptStyle,
  }),
  tool({
    name: 'delete_design',
    title: 'Delete a design',
    call: 'DELETE /api/looks/:id',
    description: 'Deletes a saved design for good. QR codes that have it stay as they are.',
    input: { id: z.string().describe('The id of the design, as list_designs has it') },
    done: 'Deleted. The codes stay as they are.',
  }),
]
