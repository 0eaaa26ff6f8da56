/* SPDX-License-Identifier: MIT */
/* What expat is built with. Names of an XML file are hashed with a fixed seed: the module parses
   the user's own files, and there is no source of entropy in it. */
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
#define XML_POOR_ENTROPY 1
