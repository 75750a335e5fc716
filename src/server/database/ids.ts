declare const person: unique symbol
declare const workspace: unique symbol

/** The id of a person, who signs in. */
export type PersonId = string & { readonly [person]: true }
/** The id of what people work on together, to which codes, plans and keys belong. */
export type WorkspaceId = string & { readonly [workspace]: true }

/** Look-ups for an address without an account take it: they find nothing, in the same time. The server itself acts by this id, too. */
export const NOBODY = '' as PersonId
