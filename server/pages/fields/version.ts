/** The version of the card fields for shops; its first number stands in their address and changes with what they promise. */
export const FIELDS_VERSION = '1.0.0';
/** Where a shop's page loads them from, and what they show: below the address that payers reach the server by. */
export const FIELDS_SCRIPT_PATH = '/fields/v1.js';
export const FIELDS_FRAME_PATH = '/fields/card';
