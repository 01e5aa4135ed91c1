"""What is read: exports of the Health app of all kinds, odd, damaged and hostile ones too."""
