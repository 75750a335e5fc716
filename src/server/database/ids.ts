declare const person: unique symbol
declare const workspace: unique symbol

/** The id of a person, who signs in. */
export type PersonId = string & { readonly [person]: true }
/** The id of what a person works on, to which codes, plans and keys belong. */
export type WorkspaceId = string & { readonly [workspace]: true }

/** Each person has one workspace, which has their id. These two alone turn one id into the other. */
export const workspaceOf = (id: PersonId) => id as string as WorkspaceId
export const personOf = (id: WorkspaceId) => id as string as PersonId

/** Look-ups for an address without an account take it: they find nothing, in the same time. */
export const NOBODY = '' as PersonId
