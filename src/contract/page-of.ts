/** Header of the calls of a page: the id of the user whom the page was drawn for. */
export const PAGE_OF = 'x-tessera-user'
